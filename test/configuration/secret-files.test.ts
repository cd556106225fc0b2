import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { workerEnvironment } from '#worker/worker-config.js';
import { readEnvironment } from '#configuration';
import { variables } from './worker-variables.js';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileWith = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('a secret in a file', () => {
  it('is taken from the file that <NAME>_FILE names, without the end of its line', () => {
    const { DATABASE_URL, CODEC_KEYS, PROVIDER_APPLICATIONS, ...rest } = variables;
    const read = readEnvironment(workerEnvironment, {
      ...rest,
      DATABASE_URL_FILE: fileWith('database', `${DATABASE_URL}\n`),
      CODEC_KEYS_FILE: fileWith('keys', CODEC_KEYS),
      PROVIDER_APPLICATIONS_FILE: fileWith('applications', `${PROVIDER_APPLICATIONS}\n`),
      TEMPORAL_API_KEY_FILE: fileWith('api-key', 'key-of-temporal\n'),
    });
    expect(read).toMatchObject({
      DATABASE_URL,
      CODEC_KEYS: { current: 'k' },
      PROVIDER_APPLICATIONS: [{ clientSecret: 'secret' }],
      TEMPORAL_API_KEY: 'key-of-temporal',
    });
  });

  it('stops the start if the variable is set too: both are named, neither value', () => {
    const both = { ...variables, DATABASE_URL_FILE: fileWith('other', 'postgres://other:hidden@db/engine') };
    expect(() => readEnvironment(workerEnvironment, both)).toThrow(
      'The configuration is not usable:\n  DATABASE_URL and DATABASE_URL_FILE: only one of them may be set',
    );
  });

  it('stops the start if the file cannot be read, once and by the name of its variable', () => {
    const { DATABASE_URL: _gone, ...rest } = variables;
    const missing = { ...rest, DATABASE_URL_FILE: join(folder, 'nothing') };
    expect(() => readEnvironment(workerEnvironment, missing)).toThrow(
      /^The configuration is not usable:\n {2}DATABASE_URL_FILE: the file cannot be read$/,
    );
  });
});
