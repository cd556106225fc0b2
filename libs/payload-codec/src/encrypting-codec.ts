import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  METADATA_ENCODING_KEY,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
  ValueError,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import { type Place, placeOf, readPlace, writePlace } from './place.js';

/** Bound to its place (namespace, run, purpose) by associated data. */
const encoding = 'binary/encrypted-in-place';
/** The encoding before payloads were bound; still readable because runs from that time are open. */
const unboundEncoding = 'binary/encrypted';
const keyIdField = 'encryption-key-id';
const placeField = 'encrypted-for';
const nonceLength = 12;
const tagLength = 16;

/** AES-256 keys by id; new payloads are encrypted under `current`, older ones stay readable under theirs. */
export interface CodecKeys {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
  /** True to take a payload from before payloads were bound for a forged one. No open run may hold any. */
  readonly refusesUnbound?: boolean;
}

/** A payload that is not encrypted, was altered or truncated, or belongs to another place. */
export class ForgedPayloadError extends ValueError {
  // The SDK recognizes a ValueError by its name.
  override readonly name: string = 'ValueError';
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

  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    const place = context && writePlace(placeOf(context));
    return payloads.map((payload) => this.encrypt(payload, place ?? ''));
  }

  /**
   * @param context the place of the payloads; without a place they are only decrypted for display.
   * @throws {ForgedPayloadError} for another encoding, another place or a payload that was tampered with.
   * @throws {ValueError} for an unknown key.
   */
  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    const place = context && writePlace(placeOf(context));
    return payloads.map((payload) => this.decrypt(payload, place));
  }

  private encrypt(payload: Payload, place: string): Payload {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.keys.current), nonce);
    cipher.setAAD(associated(place));
    const plain = proto.temporal.api.common.v1.Payload.encode(payload).finish();
    const data = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return {
      metadata: {
        [METADATA_ENCODING_KEY]: Buffer.from(encoding),
        [keyIdField]: Buffer.from(this.keys.current),
        [placeField]: Buffer.from(place),
      },
      data,
    };
  }

  private decrypt(payload: Payload, place: string | undefined): Payload {
    if (!isEncrypted(payload)) throw new ForgedPayloadError('refused a payload that is not encrypted');
    const isBound = text(payload, METADATA_ENCODING_KEY) === encoding;
    if (!isBound && this.keys.refusesUnbound)
      throw new ForgedPayloadError('refused a payload that belongs nowhere');
    const data = Buffer.from(payload.data ?? []);
    if (data.length < nonceLength + tagLength) throw new ForgedPayloadError('refused a truncated payload');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.key(text(payload, keyIdField)),
      data.subarray(0, nonceLength),
    );
    if (isBound) {
      const written = text(payload, placeField);
      if (place !== undefined && written !== place) {
        throw new ForgedPayloadError('refused a payload that belongs somewhere else');
      }
      decipher.setAAD(associated(written));
    }
    decipher.setAuthTag(data.subarray(-tagLength));
    try {
      const plain = Buffer.concat([
        decipher.update(data.subarray(nonceLength, -tagLength)),
        decipher.final(),
      ]);
      return proto.temporal.api.common.v1.Payload.decode(plain);
    } catch {
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
  const written = text(payload, METADATA_ENCODING_KEY);
  return written === encoding || written === unboundEncoding;
}

/** The place that a payload names; trustworthy only after decryption. Undefined for a payload that is not bound. */
export function claimedPlace(payload: Payload): Place | undefined {
  return readPlace(text(payload, placeField));
}

/** Separates these ciphertexts from others under the same keys. */
function associated(place: string): Buffer {
  return Buffer.from(`temporal-payload\0${place}`);
}

function text(payload: Payload, key: string): string {
  return Buffer.from(payload.metadata?.[key] ?? []).toString('utf8');
}
