import { type ScryptOptions, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

/** OWASP's parameters of 32 MiB: N = 2^15, r = 8, p = 3. */
const cost = { N: 32_768, r: 8, p: 3 } as const;
const keyLength = 32;

const pattern = /^scrypt\$(\d{4,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,})\$([\w-]{43})$/;

/** What `hashPassword` writes: the algorithm, its costs, salt and key. */
export function isPasswordHash(text: string): boolean {
  const [, N = '', r = '', p = ''] = pattern.exec(text) ?? [];
  // More memory than that is a mistake, or an attack on this process.
  return N !== '' && Number.isInteger(Math.log2(Number(N))) && memoryOf({ N, r, p }) <= 2 ** 28;
}

/** @param salt random unless one is given. */
export function hashPassword(password: string, salt: Buffer = randomBytes(16)): string {
  const key = scryptSync(password.normalize('NFC'), salt, keyLength, withMemory(cost));
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** @param hash one that `isPasswordHash` accepts. */
export async function isPassword(given: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = pattern.exec(hash) ?? [];
  const expected = Buffer.from(key, 'base64url');
  const options = withMemory({ N: Number(N), r: Number(r), p: Number(p) });
  const derived = await derive(given.normalize('NFC'), Buffer.from(salt, 'base64url'), options);
  return timingSafeEqual(derived, expected);
}

async function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(password, salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function withMemory(costs: { readonly N: number; readonly r: number; readonly p: number }): ScryptOptions {
  return { ...costs, maxmem: 2 * memoryOf(costs) };
}

function memoryOf({ N, r, p }: { readonly [cost in 'N' | 'r' | 'p']: number | string }): number {
  return 128 * Number(r) * (Number(N) + Number(p));
}
