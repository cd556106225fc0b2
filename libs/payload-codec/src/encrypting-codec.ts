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

/** Bound to its place by associated data. */
const encoding = 'binary/encrypted-in-place';
/** As payloads were written before they were bound: still read, for runs of that time are open. */
const unboundEncoding = 'binary/encrypted';
const keyIdField = 'encryption-key-id';
const placeField = 'encrypted-for';
const nonceLength = 12;
const tagLength = 16;

/** AES-256 keys by id; new payloads are encrypted under `current`, older ones stay readable under theirs. */
export interface CodecKeys {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/** Encrypted under one of our keys, or so it says, and altered, cut short, or taken from somewhere else. */
export class ForgedPayloadError extends ValueError {
  // Named like what it is to the SDK, which knows errors by their names.
  override readonly name: string = 'ValueError';
}

/**
 * Encrypts every payload that Temporal stores (AES-256-GCM, the key's id beside the ciphertext, for rotation), bound to
 * the namespace and the run that it is of, and to whether it is the run's own or one of its activities'.
 *
 * It fails closed: a payload in any other encoding, or from another place, is refused, because whoever could write it into
 * a history could otherwise make the engine believe it.
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
   * @param context where the payloads stand; those without are only read, by whoever was let see them.
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
    const data = Buffer.from(payload.data ?? []);
    if (data.length < nonceLength + tagLength) throw new ForgedPayloadError('refused a truncated payload');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.key(text(payload, keyIdField)),
      data.subarray(0, nonceLength),
    );
    if (text(payload, METADATA_ENCODING_KEY) === encoding) {
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

/** Where a payload says that it belongs: to be believed once it has been decrypted. Undefined for one that is not bound. */
export function claimedPlace(payload: Payload): Place | undefined {
  return readPlace(text(payload, placeField));
}

/** Keeps what is encrypted here apart from what else is encrypted with the same keys. */
function associated(place: string): Buffer {
  return Buffer.from(`temporal-payload\0${place}`);
}

function text(payload: Payload, key: string): string {
  return Buffer.from(payload.metadata?.[key] ?? []).toString('utf8');
}
