import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { CodecKeys } from './encrypting-codec.js';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts a text for a column (AES-256-GCM, under the keys of the histories). Length of the key's id, its id, nonce,
 * ciphertext, tag.
 *
 * @param context what the text belongs to, such as its row's id; with another context it cannot be decrypted.
 */
export function sealText({ current, keys }: CodecKeys, text: string, context: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, keyOf(keys, current), nonce).setAAD(Buffer.from(context));
  const id = Buffer.from(current);
  const sealed = [cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([Buffer.from([id.length]), id, nonce, ...sealed]);
}

/** @throws for an unknown key, another context, or bytes that were tampered with. */
export function openSealedText({ keys }: CodecKeys, sealed: Buffer, context: string): string {
  const idLength = sealed[0] ?? 0;
  const nonceAt = 1 + idLength;
  const textAt = nonceAt + nonceLength;
  if (sealed.length < textAt + tagLength) throw new Error('a sealed text is truncated');
  const key = keyOf(keys, sealed.toString('utf8', 1, nonceAt));
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(nonceAt, textAt))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([decipher.update(sealed.subarray(textAt, -tagLength)), decipher.final()]).toString(
    'utf8',
  );
}

function keyOf(keys: CodecKeys['keys'], id: string): Buffer {
  const key = keys.get(id);
  if (!key) throw new Error('a text is sealed under a key that is not among ours');
  return key;
}
