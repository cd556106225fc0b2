import { isUtf8 } from 'node:buffer';
import { isRecord } from './resource-ids.js';
import { type DeliveryHeaders, readTransmission } from './transmission.js';
import type { SignatureResult } from './verify-signature.js';

/** A delivery as it came. */
export interface Delivery {
  readonly headers: DeliveryHeaders;
  /** The body's bytes exactly as they arrived. */
  readonly rawBody: Uint8Array;
  /** The provider's id of the webhook that this delivery claims to be for. */
  readonly webhookId: string;
}

interface VerificationRequest {
  /** JSON text. */
  readonly body: string;
  readonly transmissionId: string;
}

/**
 * The verification request for a delivery, or the result if none is needed. The signature covers bytes, so the event is
 * put into the request as received, never parsed and serialized again.
 */
export function verificationRequestOf({
  headers,
  rawBody,
  webhookId,
}: Delivery): VerificationRequest | SignatureResult {
  const transmission = readTransmission(headers);
  if (transmission === undefined) return { outcome: 'forged', reason: 'headers_missing' };
  const event = eventText(rawBody);
  // Not an event, so the provider did not sign it.
  if (event === undefined) return { outcome: 'forged', reason: 'signature_mismatch' };
  const fields = JSON.stringify({
    auth_algo: transmission.algorithm,
    cert_url: transmission.certificateAddress,
    transmission_id: transmission.id,
    transmission_sig: transmission.signature,
    transmission_time: transmission.time,
    webhook_id: webhookId,
  });
  return {
    body: `${fields.slice(0, -1)},"webhook_event":${event}}`,
    transmissionId: transmission.id,
  };
}

/** The text of exactly one JSON object. Any more text could close the member that contains it and add others. */
function eventText(rawBody: Uint8Array): string | undefined {
  if (!isUtf8(rawBody)) return undefined;
  const text = Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength).toString('utf8');
  try {
    return isRecord(JSON.parse(text)) ? text : undefined;
  } catch {
    return undefined;
  }
}
