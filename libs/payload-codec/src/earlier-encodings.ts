import type { Payload } from '@temporalio/common';
import { nonceLength, tagLength } from './sealed-bytes.js';

/**
 * The encodings of earlier releases: nonce, ciphertext and tag, and beside them, readable, the key's id, and the place
 * that is authenticated (in the first one no place). Open runs hold such payloads for years.
 */
export const earlierEncodings = {
  bound: 'binary/encrypted-in-place',
  unbound: 'binary/encrypted',
} as const;

export function earlierParts({ metadata, data }: Payload) {
  const text = (name: string) => Buffer.from(metadata?.[name] ?? []).toString('utf8');
  const sealed = Buffer.from(data ?? []);
  if (sealed.length < nonceLength + tagLength) return undefined;
  const isBound = text('encoding') === earlierEncodings.bound;
  const place = text('encrypted-for');
  return {
    isBound,
    place: isBound ? place : '',
    context: isBound ? `temporal-payload\0${place}` : '',
    keyId: text('encryption-key-id'),
    nonce: sealed.subarray(0, nonceLength),
    ciphertext: sealed.subarray(nonceLength, -tagLength),
    tag: sealed.subarray(-tagLength),
  };
}
