import { describe, expect, it } from 'vitest';
import { redactBody, redactProse } from '#payments-client/redaction/redaction.js';
import { writtenEmails } from '../helpers/written-emails.js';

const ways: readonly (readonly [string, (text: string) => string])[] = [
  ['a call', (text) => JSON.stringify(redactBody({ text }))],
  ['prose', redactProse],
];

describe.each(ways)('an e-mail address in %s', (_way, reported) => {
  it.each(writtenEmails)('is revealed to nobody: %s', (email) => {
    for (const text of [email, `ask ${email}, please`, `<${email}>`, `mail=${email}`])
      expect(reported(text)).not.toMatch(/john|doe|private\.example|192\.0\.2\.77/);
  });
});
