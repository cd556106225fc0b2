import { crc32 } from 'node:zlib';

/** Header names and values as Node gives them; names are compared without case. */
export type DeliveryHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a delivery says about its own signature (provider-facts, "Webhook deliveries"). */
export interface Transmission {
  readonly id: string;
  readonly time: string;
  /** Base64. */
  readonly signature: string;
  readonly certificateAddress: string;
  readonly algorithm: string;
}

/** Undefined if a header is missing, empty or given more than once. */
export function readTransmission(headers: DeliveryHeaders): Transmission | undefined {
  const id = single(headers, 'paypal-transmission-id');
  const time = single(headers, 'paypal-transmission-time');
  const signature = single(headers, 'paypal-transmission-sig');
  const certificateAddress = single(headers, 'paypal-cert-url');
  const algorithm = single(headers, 'paypal-auth-algo');
  return id && isIdentifier(id) && time && signature && certificateAddress && algorithm
    ? { id, time, signature, certificateAddress, algorithm }
    : undefined;
}

/** The id is stored, so it must be printable and short enough for an index. */
function isIdentifier(id: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(id);
}

/**
 * The text that is signed: `id|time|webhookId|crc32(raw body, unsigned decimal)`. The bytes as they arrived,
 * never a body parsed and written again.
 */
export function signedText(id: string, time: string, webhookId: string, rawBody: Uint8Array): string {
  return `${id}|${time}|${webhookId}|${crc32(rawBody)}`;
}

const MAX_HEADER_LENGTH = 2_048;

function single(headers: DeliveryHeaders, name: string): string | undefined {
  const value = headers[name] ?? headers[spelling(headers, name)];
  // Node joins repeated headers with a comma, and decodes base64 only up to a comma. None of these values contains a
  // comma.
  const isGivenOnce = typeof value === 'string' && value.length <= MAX_HEADER_LENGTH && !value.includes(',');
  return isGivenOnce ? value : undefined;
}

function spelling(headers: DeliveryHeaders, name: string): string {
  return Object.keys(headers).find((candidate) => candidate.toLowerCase() === name) ?? name;
}
