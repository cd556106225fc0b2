import { randomBytes } from 'node:crypto';

export function newSecret(): string {
  return randomBytes(24).toString('hex');
}
