import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { EncryptingCodec, ForgedPayloadError } from './encrypting-codec.js';

/** Converts to undefined. */
const nothing: Payload = { metadata: { encoding: Buffer.from('binary/null') } };

/**
 * The codec for workers. A forged message must not block a run, whose workflow task would otherwise fail forever. The
 * run gets `undefined` instead, which handlers ignore. A missing key is different: the payload may be genuine, so the
 * run waits until the worker has the key.
 */
export class ForgeryReportingCodec implements PayloadCodec {
  constructor(private readonly codec: EncryptingCodec) {}

  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return await this.codec.encode(payloads, context);
  }

  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    // Results of activities are not messages: a forged result must not be skipped.
    if (context?.type !== 'workflow') return await this.codec.decode(payloads, context);
    const each = payloads.map((payload) => this.decodeOr(nothing, payload, context));
    return await Promise.all(each);
  }

  private async decodeOr(
    otherwise: Payload,
    payload: Payload,
    context: SerializationContext,
  ): Promise<Payload> {
    try {
      const [decoded] = await this.codec.decode([payload], context);
      return decoded ?? otherwise;
    } catch (error) {
      if (error instanceof ForgedPayloadError) return otherwise;
      throw error;
    }
  }
}
