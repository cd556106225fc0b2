import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { EncryptingCodec, ForgedPayloadError } from './encrypting-codec.js';

/** Converts to undefined. */
const nothing: Payload = { metadata: { encoding: Buffer.from('binary/null') } };

/**
 * For workers. A run that is sent something forged must not stand still for it: its workflow task would fail for ever, with
 * money in its hands. It gets nothing instead, and handlers take nothing for no message. A key that is missing is another
 * matter: what is encrypted under it may be genuine, and waits until the worker has it.
 */
export class ForgeryReportingCodec implements PayloadCodec {
  constructor(private readonly codec: EncryptingCodec) {}

  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return await this.codec.encode(payloads, context);
  }

  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    // What its activities have found out came by no message: there a forgery is no noise to be left out.
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
