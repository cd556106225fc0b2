import { text } from 'node:stream/consumers';
import { hashPassword } from '#api/sign-in/password.js';
import { runCommand } from './command.js';
import { Failure } from './failure.js';

const usage =
  'npm run console:password reads a password of at least 12 characters from its input: printf %s "$PASSWORD" | …';

/** Prints the hash of a password, for CONSOLE_USERS. A password among the arguments would be seen by all processes. */
await runCommand(async () => {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (process.argv.length > 2 || password.length < 12) throw new Failure(usage);
  process.stdout.write(`${hashPassword(password)}\n`);
});
