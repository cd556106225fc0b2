import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec, ValueError } from '@temporalio/common';
import proto from '@temporalio/proto';

const encoding = 'binary/encrypted';
const nonceLength = 12;
const tagLength = 16;

/** AES-256 keys by id; new payloads are encrypted under `current`, older ones stay readable under theirs. */
export interface CodecKeys {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/**
 * Encrypts every payload that Temporal stores (AES-256-GCM, the key's id beside the ciphertext, for rotation).
 *
 * It fails closed: a payload in any other encoding is refused, because whoever could write plain payloads into a
 * history could otherwise make the engine believe them.
 */
export class EncryptingCodec implements PayloadCodec {
  constructor(private readonly keys: CodecKeys) {
    if (!keys.keys.has(keys.current)) throw new ValueError(`codec key ${keys.current} is not among the keys`);
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.encrypt(payload));
  }

  /** @throws {ValueError} for an unknown encoding, an unknown key or a payload that was tampered with. */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.decrypt(payload));
  }

  private encrypt(payload: Payload): Payload {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.keys.current), nonce);
    const plain = proto.temporal.api.common.v1.Payload.encode(payload).finish();
    const data = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return {
      metadata: {
        [METADATA_ENCODING_KEY]: Buffer.from(encoding),
        'encryption-key-id': Buffer.from(this.keys.current),
      },
      data,
    };
  }

  private decrypt(payload: Payload): Payload {
    if (!isEncrypted(payload)) {
      throw new ValueError('refused a payload that is not encrypted');
    }
    const data = Buffer.from(payload.data ?? []);
    if (data.length < nonceLength + tagLength) throw new ValueError('refused a truncated payload');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.key(text(payload, 'encryption-key-id')),
      data.subarray(0, nonceLength),
    );
    decipher.setAuthTag(data.subarray(-tagLength));
    try {
      const plain = Buffer.concat([
        decipher.update(data.subarray(nonceLength, -tagLength)),
        decipher.final(),
      ]);
      return proto.temporal.api.common.v1.Payload.decode(plain);
    } catch {
      throw new ValueError('refused a payload that does not authenticate');
    }
  }

  private key(id: string): Buffer {
    const key = this.keys.keys.get(id);
    if (!key) throw new ValueError(`no codec key ${JSON.stringify(id)}`);
    return key;
  }
}

export function isEncrypted(payload: Payload): boolean {
  return text(payload, METADATA_ENCODING_KEY) === encoding;
}

function text(payload: Payload, key: string): string {
  return Buffer.from(payload.metadata?.[key] ?? []).toString('utf8');
}
