import { hashPassword } from '#api/sign-in/password.js';

export const consolePassword = 'correct horse battery staple';

const password = hashPassword(consolePassword);

/** One of each role. */
export const consoleUsers = [
  { name: 'vera', role: 'viewer', password },
  { name: 'otto', role: 'operator', password },
  { name: 'olga', role: 'operator', password },
  { name: 'anna', role: 'admin', password },
] as const;
