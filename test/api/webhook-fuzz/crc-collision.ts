import { crc32 } from 'node:zlib';

/** Letters that differ in one bit: the checksum of the whole changes by a fixed pattern with each of them. */
const [low, high] = ['a', 'c'];
const letters = 64;

/** Where a body leaves room to be bent. */
export const bend = low.repeat(letters);

/**
 * Another body with the checksum of the first: what is signed is no more than a CRC-32, and that can be collided.
 *
 * @param body holds `bend` once; its letters are chosen such that the checksum comes out.
 */
export function collide(body: string, checksumOf: Uint8Array): Buffer {
  const bytes = Buffer.from(body);
  const start = bytes.indexOf(bend);
  if (start < 0) throw new Error('the body leaves no room to be bent');
  const plain = crc32(bytes);
  const columns = Array.from({ length: letters }, (_, i) => (crc32(flip(bytes, start + i)) ^ plain) >>> 0);
  const chosen = combine(columns, (crc32(checksumOf) ^ plain) >>> 0);
  for (const i of chosen) bytes.write(high, start + i);
  return bytes;
}

function flip(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.write(high, at);
  return flipped;
}

/** Which of the patterns together make the wanted one: Gaussian elimination over single bits. */
function combine(columns: readonly number[], wanted: number): number[] {
  const basis: { pattern: number; members: bigint }[] = [];
  const reduce = (pattern: number, members: bigint) => {
    for (const known of basis) {
      if ((pattern ^ known.pattern) >>> 0 < pattern) {
        pattern = (pattern ^ known.pattern) >>> 0;
        members ^= known.members;
      }
    }
    return { pattern, members };
  };
  for (const [i, column] of columns.entries()) {
    const rest = reduce(column, 1n << BigInt(i));
    if (rest.pattern === 0) continue;
    basis.push(rest);
    basis.sort((one, other) => other.pattern - one.pattern);
  }
  const { pattern, members } = reduce(wanted, 0n);
  if (pattern !== 0) throw new Error('the checksum cannot be reached');
  return [...columns.keys()].filter((i) => (members >> BigInt(i)) & 1n);
}
