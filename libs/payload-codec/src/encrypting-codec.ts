import {
  METADATA_ENCODING_KEY,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
  ValueError,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import { earlierEncodings, earlierParts } from './earlier-encodings.js';
import { formOf, forms, readBound, type SealedEncoding, writeBound } from './payload-forms.js';
import { type Place, placeOf, readPlace, writePlace } from './place.js';
import { type Keys, open, partsOf, seal } from './sealed-bytes.js';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

const earlier: ReadonlySet<string> = new Set(Object.values(earlierEncodings));

/** AES-256 keys by id; new payloads are encrypted under `current`, older ones stay readable under theirs. */
export interface CodecKeys extends Keys {
  /** True: a payload from before payloads were bound counts as forged. No open run may hold any then. */
  readonly refusesUnbound?: boolean;
  /** Of new payloads; default `sealed/2`. A process of an earlier release takes what it does not know for forged. */
  readonly encoding?: SealedEncoding;
}

/** A payload that is not encrypted, was altered or truncated, or belongs to another place. */
export class ForgedPayloadError extends ValueError {
  // The SDK recognizes a ValueError by its name.
  override readonly name: string = 'ValueError';
}

/** A payload and the place that it was written for; without a place if it is older than those. */
export interface OpenedPayload {
  readonly payload: Payload;
  readonly place: Place | undefined;
}

/**
 * Encrypts every payload that Temporal stores (AES-256-GCM, the key's id beside the ciphertext, for rotation), bound to
 * its namespace, its run, and to whether it belongs to the run itself or to its activities.
 *
 * It fails closed: a payload in another encoding or from another place is refused. Otherwise everybody who can write to
 * a history could deceive the engine.
 */
export class EncryptingCodec implements PayloadCodec {
  constructor(private readonly keys: CodecKeys) {
    if (!keys.keys.has(keys.current)) throw new ValueError(`codec key ${keys.current} is not among the keys`);
  }

  async encode(payloads: Payload[], where?: SerializationContext): Promise<Payload[]> {
    const form = forms[this.keys.encoding ?? 'sealed/2'];
    const place = where && placeOf(where);
    return payloads.map((payload) => ({
      metadata: form.metadata,
      data: seal(this.keys, writeBound(form, payload, place), form.context),
    }));
  }

  /**
   * @param where the place of the payloads; without a place they are only decrypted for display.
   * @throws {ForgedPayloadError} for another encoding, another place or a payload that was tampered with.
   * @throws {ValueError} for an unknown key.
   */
  async decode(payloads: Payload[], where?: SerializationContext): Promise<Payload[]> {
    const expected = where && writePlace(placeOf(where));
    return payloads.map((payload) => {
      const { plain, place } = this.decrypt(payload);
      if (expected !== undefined && place !== undefined && place !== expected)
        throw new ForgedPayloadError('refused a payload that belongs somewhere else');
      return plain;
    });
  }

  /** Decrypts a payload for display. Throws as `decode` does. */
  show(payload: Payload): OpenedPayload {
    const { plain, place } = this.decrypt(payload);
    return { payload: plain, place: place === undefined ? undefined : readPlace(place) };
  }

  /** @returns the payload and its place as it is written; undefined if it was never bound to one. */
  private decrypt(payload: Payload): { readonly plain: Payload; readonly place: string | undefined } {
    if (!isEncrypted(payload)) throw new ForgedPayloadError('refused a payload that is not encrypted');
    const form = formOf(encodingOf(payload));
    if (!form) return this.decryptEarlier(payload);
    const parts = partsOf(Buffer.from(payload.data ?? []));
    if (!parts) throw new ForgedPayloadError('refused a truncated payload');
    const bound = this.authentic(() => open(parts, this.key(parts.keyId), form.context));
    return readBound(form, bound);
  }

  private decryptEarlier(payload: Payload) {
    const parts = earlierParts(payload);
    if (parts?.isBound === false && this.keys.refusesUnbound)
      throw new ForgedPayloadError('refused a payload that is bound to no place');
    if (!parts) throw new ForgedPayloadError('refused a truncated payload');
    const opened = this.authentic(() => open(parts, this.key(parts.keyId), parts.context));
    return { plain: PayloadMessage.decode(opened), place: parts.isBound ? parts.place : undefined };
  }

  private authentic(decrypted: () => Buffer): Buffer {
    try {
      return decrypted();
    } catch (error) {
      // An unknown key.
      if (error instanceof ValueError) throw error;
      throw new ForgedPayloadError('refused a payload that does not authenticate');
    }
  }

  private key(id: string): Buffer {
    const key = this.keys.keys.get(id);
    if (!key) throw new ValueError(`no codec key ${JSON.stringify(id)}`);
    return key;
  }
}

export function isEncrypted(payload: Payload): boolean {
  const encoding = encodingOf(payload);
  return formOf(encoding) !== undefined || earlier.has(encoding);
}

function encodingOf({ metadata: fields }: Payload): string {
  return Buffer.from(fields?.[METADATA_ENCODING_KEY] ?? []).toString('utf8');
}
