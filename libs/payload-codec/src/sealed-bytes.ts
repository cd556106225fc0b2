import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
export const nonceLength = 12;
export const tagLength = 16;

/** AES-256 keys by id; what is new is encrypted under `current`, what is older stays readable under its own. */
export interface Keys {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/** Sealed bytes, taken apart. */
interface Parts {
  readonly keyId: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/**
 * Encrypts (AES-256-GCM). Length of the key's id, its id, nonce, ciphertext, tag.
 *
 * @param context what the bytes belong to; with another context they cannot be decrypted.
 */
export function seal({ current, keys }: Keys, bytes: Uint8Array | string, context: string): Buffer {
  const key = keys.get(current);
  if (!key) throw new Error('the current key is not among the keys');
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const id = Buffer.from(current);
  const sealed = typeof bytes === 'string' ? cipher.update(bytes, 'utf8') : cipher.update(bytes);
  return Buffer.concat([Buffer.from([id.length]), id, nonce, sealed, cipher.final(), cipher.getAuthTag()]);
}

/** @returns undefined if the bytes are cut short. */
export function partsOf(sealed: Buffer): Parts | undefined {
  const nonceAt = 1 + (sealed[0] ?? 0);
  const textAt = nonceAt + nonceLength;
  if (sealed.length < textAt + tagLength) return undefined;
  return {
    keyId: sealed.toString('utf8', 1, nonceAt),
    nonce: sealed.subarray(nonceAt, textAt),
    ciphertext: sealed.subarray(textAt, -tagLength),
    tag: sealed.subarray(-tagLength),
  };
}

/** @throws for another key or context, or bytes that were tampered with. */
export function open({ nonce, ciphertext, tag }: Omit<Parts, 'keyId'>, key: Buffer, context: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}
