import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasEmail, withoutEmails } from '#database/text';
import { storableForeignJson, storableJson, storableText } from '#database/text/storable-text.js';
import { storedPayload } from '#webhook-inbox/stored-payload.js';
import { writtenEmails } from '../helpers/written-emails.js';

/** Everything through which a foreign text goes on its way to a table, a log or an error. */
const ways: readonly (readonly [string, (text: string) => string])[] = [
  ['a text', storableText],
  ['a document', (text) => storableJson({ text })],
  ['a foreign document', (text) => storableForeignJson({ text })],
  ['a document in a document', (text) => storableForeignJson({ text: JSON.stringify({ text }) })],
  ['a free text', withoutEmails],
  ['an event', (text) => JSON.stringify(storedPayload({ summary: text }))],
];

describe.each(ways)('an e-mail address in %s', (_way, reported) => {
  it.each(writtenEmails)('is revealed to nobody: %s', (email) => {
    for (const text of [email, `ask ${email}, please`, `<${email}>`, `mail=${email}`])
      expect(reported(text)).not.toMatch(/john|doe|private\.example|192\.0\.2\.77/);
  });
});

it.each(writtenEmails)('is recognized where it is refused: %s', (email) => {
  expect(hasEmail(`for ${email}`)).toBe(true);
});

it.each(['b…@e…', '5 items @ 3.00', '100% of 40', String.raw`C:\u0041`, 'a @', '&amp; 64'])(
  'is none: %s',
  (text) => {
    expect(hasEmail(text)).toBe(false);
    expect(storableText(text)).toBe(text);
  },
);

it('does not make a document more than one, wherever quotes and @ are', () => {
  const text = fc
    .array(fc.constantFrom('"', '\\', '@', 'a', ' ', '%40', '\\u0040', ':', ',', '\n'))
    .map((all) => all.join(''));
  fc.assert(
    fc.property(fc.dictionary(text, text), (value) => {
      JSON.parse(storableJson(value));
      JSON.parse(storableForeignJson({ inner: JSON.stringify(value) }));
    }),
    { numRuns: 5_000 },
  );
});

it.each(['a', '"', '\\"a', 'a"', '@', 'a@', '%2540', '\\', '"a" '])(
  'is searched in a long text of %j within a time limit that a quadratic search would exceed',
  { timeout: 120_000 },
  (part) => {
    const text = `@${part.repeat(Math.ceil(1_048_576 / part.length))}`;
    storableText(text);
    expect(typeof withoutEmails(text)).toBe('string');
  },
);
