import { expect, it } from 'vitest';
import { hashPassword, isPassword, isPasswordHash } from '#api/sign-in/password.js';

it('accepts the password of a hash and no other, in any composition of its letters', async () => {
  const hash = hashPassword('Zoë’s password');
  expect(isPasswordHash(hash)).toBe(true);
  expect(hash).not.toBe(hashPassword('Zoë’s password'));
  expect(await isPassword('Zoë’s password'.normalize('NFD'), hash)).toBe(true);
  expect(await isPassword('Zoe’s password', hash)).toBe(false);
});

it('refuses a hash whose costs would take the memory of the process', () => {
  const [, , , , salt = '', key = ''] = hashPassword('x').split('$');
  expect(isPasswordHash(`scrypt$4194304$8$1$${salt}$${key}`)).toBe(false);
  expect(isPasswordHash(`scrypt$30000$8$1$${salt}$${key}`)).toBe(false);
  expect(isPasswordHash('hunter2')).toBe(false);
});
