import { crc32 } from 'node:zlib';

/** Each bit of a checksum needs a letter of its own that can be one of two. */
const padding = 'a'.repeat(64);

/**
 * Another JSON document with the same CRC-32. The checksum is linear, so what each letter of the padding changes in it
 * is known beforehand, and the letters to change are the solution of 32 equations over one bit.
 *
 * @param genuine the bytes whose checksum is to be met.
 * @param forged what the document is to say.
 */
export function collidedBody(genuine: Uint8Array, forged: Record<string, unknown>): Buffer {
  const body = Buffer.from(JSON.stringify({ ...forged, padding }));
  const start = body.lastIndexOf(padding);
  const changes = Array.from(padding, (_letter, i) => {
    const changed = Buffer.from(body);
    changed[start + i]! ^= 1;
    return (crc32(changed) ^ crc32(body)) >>> 0;
  });
  for (const i of solve(changes, (crc32(genuine) ^ crc32(body)) >>> 0)) body[start + i]! ^= 1;
  return body;
}

/** @returns which of the vectors add up to the target, by elimination. */
function solve(vectors: readonly number[], target: number): number[] {
  const basis: {
    readonly vector: number;
    /** One bit for each vector that adds up to it. */ readonly made: bigint;
  }[] = [];
  const reduce = (vector: number, made: bigint) =>
    basis.reduce(
      (rest, known) =>
        highestBit(known.vector) & rest.vector
          ? { vector: (rest.vector ^ known.vector) >>> 0, made: rest.made ^ known.made }
          : rest,
      { vector, made },
    );
  for (const [i, vector] of vectors.entries()) {
    const rest = reduce(vector, 1n << BigInt(i));
    if (rest.vector !== 0) basis.push(rest);
    basis.sort((one, other) => other.vector - one.vector);
  }
  const { vector, made } = reduce(target, 0n);
  if (vector !== 0) throw new Error('the padding is too short to collide');
  return [...vectors.keys()].filter((i) => (made >> BigInt(i)) & 1n);
}

function highestBit(vector: number): number {
  return 2 ** (31 - Math.clz32(vector));
}
