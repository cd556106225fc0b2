import { type Keys, open, partsOf, seal } from './sealed-bytes.js';

/**
 * Encrypts a text for a column, under the keys of the histories.
 *
 * @param context what the text belongs to, such as its row's id; with another context it cannot be decrypted.
 */
export function sealText(keys: Keys, text: string, context: string): Buffer {
  return seal(keys, text, context);
}

/** @throws for an unknown key, another context, or bytes that were tampered with. */
export function openSealedText({ keys }: Keys, sealed: Buffer, context: string): string {
  const parts = partsOf(sealed);
  if (!parts) throw new Error('a sealed text is truncated');
  const key = keys.get(parts.keyId);
  if (!key) throw new Error('a text is sealed under a key that is not among ours');
  return open(parts, key, context).toString('utf8');
}
