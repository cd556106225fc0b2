import { describe, expect, it } from 'vitest';
import {
  codecKeysOf,
  engineEnvironment,
  portVariable,
  ConfigurationError,
  readEnvironment,
} from '#configuration';
import { openSealedText, sealText } from '#payload-codec';

const planted = 'planted-secret-that-must-not-show';
const key = Buffer.alloc(32, 7).toString('base64');
const application = {
  environment: 'sandbox',
  application: 'shop',
  baseUrl: 'http://127.0.0.1:4000',
  clientId: 'client',
  clientSecret: planted,
  webhookSecret: `${planted}-webhook`,
  webhookAuthentication: 'signature',
};
const usable: NodeJS.ProcessEnv = {
  DATABASE_URL: 'postgres://engine:password@127.0.0.1:5432/engine',
  PROVIDER_APPLICATIONS: JSON.stringify([application]),
  CODEC_KEYS: `k1:${key}`,
  PUBLIC_URL: 'http://127.0.0.1:3000',
};
const read = (changes: NodeJS.ProcessEnv = {}) =>
  readEnvironment(engineEnvironment, { ...usable, ...changes });
const refusesUnbound = (changes: NodeJS.ProcessEnv) => codecKeysOf(read(changes)).refusesUnbound;
const encodingOf = (changes: NodeJS.ProcessEnv) => codecKeysOf(read(changes)).encoding;

const withWebhookSecret = (webhookSecret: string) => JSON.stringify([{ ...application, webhookSecret }]);

describe('a valid environment', () => {
  it('is read with its defaults', () => {
    expect(read()).toMatchObject({
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      TEMPORAL_NAMESPACE: 'default',
      TEMPORAL_TASK_QUEUE: 'payments',
      OUTCOME_HORIZON_MS: 120_000,
      PROVIDER_APPLICATIONS: [application],
    });
  });

  it('reads old payloads that are bound to no run, unless it is configured to refuse them', () => {
    expect(refusesUnbound({})).toBe(false);
    expect(refusesUnbound({ CODEC_UNBOUND_PAYLOADS: 'refuse' })).toBe(true);
    expect(() => read({ CODEC_UNBOUND_PAYLOADS: 'no' })).toThrow('CODEC_UNBOUND_PAYLOADS');
  });

  it('writes payloads in fewer bytes, unless it is configured to write them as the release before reads them', () => {
    expect(encodingOf({})).toBe('sealed/2');
    expect(encodingOf({ CODEC_ENCODING: 'binary/sealed' })).toBe('binary/sealed');
    expect(() => read({ CODEC_ENCODING: 'binary/encrypted' })).toThrow('CODEC_ENCODING');
  });

  it('may have empty variables where there is a default: empty means unset', () => {
    expect(read({ TEMPORAL_ADDRESS: '', OUTCOME_HORIZON_MS: '' })).toMatchObject({
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      OUTCOME_HORIZON_MS: 120_000,
    });
    const withPort = engineEnvironment.extend({ PORT: portVariable(3000) });
    expect(readEnvironment(withPort, { ...usable, PORT: '' }).PORT).toBe(3000);
  });

  it('is read without the slashes at the end of an address', () => {
    expect(read({ PUBLIC_URL: 'https://shop.example/payments//' }).PUBLIC_URL).toBe(
      'https://shop.example/payments',
    );
  });

  it('may have a webhook secret of any characters that one segment of an address holds', () => {
    const secret = `${planted}-._~+=@:!$&'()*,; ä`;
    const [taken] = read({ PROVIDER_APPLICATIONS: withWebhookSecret(secret) }).PROVIDER_APPLICATIONS;
    expect(taken?.webhookSecret).toBe(secret);
  });

  it.each(['postgres:///engine?host=/run/postgresql', 'postgresql://engine@/engine?host=/run/postgresql'])(
    'may have a database behind a socket: %s',
    (DATABASE_URL) => {
      expect(read({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
    },
  );

  it('may have a codec key whose id is as long as what is sealed can hold', () => {
    const keys = codecKeysOf(read({ CODEC_KEYS: `${'k'.repeat(255)}:${key}` }));
    expect(openSealedText(keys, sealText(keys, 'a secret', 'row'), 'row')).toBe('a secret');
  });

  it('encrypts with the first codec key and keeps the others to decrypt', () => {
    const older = Buffer.alloc(32, 8).toString('base64');
    const { current, keys } = read({ CODEC_KEYS: `k1:${key}, k0:${older}` }).CODEC_KEYS;
    expect(current).toBe('k1');
    expect([...keys.keys()]).toEqual(['k1', 'k0']);
    expect(keys.get('k0')?.equals(Buffer.alloc(32, 8))).toBe(true);
  });
});

describe('an invalid environment', () => {
  it('is refused with the name of each bad variable at once, and with no value', () => {
    const problem = problemOf({
      DATABASE_URL: `mysql://root:${planted}@host/db`,
      PROVIDER_APPLICATIONS: JSON.stringify([
        { ...application, environment: planted, webhookSecret: 'short' },
      ]),
      CODEC_KEYS: `k1:${planted}`,
      PUBLIC_URL: planted,
      OUTCOME_HORIZON_MS: planted,
    });
    for (const name of [
      'DATABASE_URL',
      'PROVIDER_APPLICATIONS.0.environment',
      'PROVIDER_APPLICATIONS.0.webhookSecret',
      'CODEC_KEYS',
      'PUBLIC_URL',
      'OUTCOME_HORIZON_MS',
    ]) {
      expect(problem).toContain(`  ${name}: `);
    }
    expect(problem).not.toContain(planted);
    expect(problem).not.toContain('short');
  });

  it('is refused when a time is longer than a timer can wait, because the timer would fire at once', () => {
    expect(problemOf({ OUTCOME_HORIZON_MS: String(2 ** 31) })).toContain('  OUTCOME_HORIZON_MS: ');
    expect(read({ OUTCOME_HORIZON_MS: String(2 ** 31 - 1) })).toMatchObject({
      OUTCOME_HORIZON_MS: 2 ** 31 - 1,
    });
  });

  it.each(['DATABASE_URL', 'PROVIDER_APPLICATIONS', 'CODEC_KEYS'])(
    'names a missing or empty %s as required',
    (name) => {
      expect(problemOf({ [name]: undefined })).toBe(
        `The configuration is not usable:\n  ${name}: is required`,
      );
      expect(problemOf({ [name]: '' })).toBe(`The configuration is not usable:\n  ${name}: is required`);
    },
  );

  it.each([
    ['DATABASE_URL', `postgres://engine:${planted}#1@127.0.0.1:5432/engine`, '# as %23'],
    ['DATABASE_URL', `postgres://engine:a/${planted}@127.0.0.1:5432/engine`, '/ as %2F'],
    ['DATABASE_URL', `postgres://engine:${planted}@127.0.0.1:65536/engine`, 'cannot be read'],
    ['PROVIDER_APPLICATIONS', `{${planted}`, 'must be JSON'],
    ['PROVIDER_APPLICATIONS', '[]', ''],
    ['PROVIDER_APPLICATIONS', JSON.stringify([{ ...application, clientSecrets: planted }]), ''],
    ['PROVIDER_APPLICATIONS', JSON.stringify([{ ...application, baseUrl: 'file:///etc/passwd' }]), ''],
    ['PROVIDER_APPLICATIONS', JSON.stringify([{ ...application, application: 'a/b' }]), 'lower-case'],
    ['PROVIDER_APPLICATIONS', withWebhookSecret(`${planted}/+w==`), 'must be without characters'],
    ['PROVIDER_APPLICATIONS', withWebhookSecret(`${planted}?a=1`), 'must be without characters'],
    ['PROVIDER_APPLICATIONS', withWebhookSecret(`${planted}#1`), 'must be without characters'],
    ['PROVIDER_APPLICATIONS', withWebhookSecret(`${planted}%41`), 'must be without characters'],
    ['PROVIDER_APPLICATIONS', withWebhookSecret(`${planted}\\1`), 'must be without characters'],
    ['PROVIDER_APPLICATIONS', withWebhookSecret(planted.repeat(20)), 'at most 512'],
    ['PUBLIC_URL', `javascript:${planted}`, 'must be an http or https address'],
    ['PUBLIC_URL', `https://user:${planted}@shop.example`, 'without credentials'],
    ['PUBLIC_URL', `https://shop.example/?${planted}`, 'without credentials, query and fragment'],
    ['PUBLIC_URL', 'https:shop.example', 'must be an http or https address'],
    ['TEMPORAL_ADDRESS', `http://${planted}`, 'must be <host>:<port>'],
    ['CODEC_KEYS', `${'k'.repeat(256)}:${key}`, 'at most 255 characters'],
    ['CODEC_KEYS', key, 'must be <id>:<base64 of 32 bytes>'],
    ['CODEC_KEYS', `k1:${Buffer.alloc(16).toString('base64')}`, 'must be <id>:<base64 of 32 bytes>'],
    ['CODEC_KEYS', `k1:${key},k1:${key}`, 'each id once'],
    ['CODEC_KEYS', `k1:${key},`, 'must be <id>:<base64 of 32 bytes>'],
    ['CODEC_KEYS', `k1:${key.slice(0, -2)}!=`, 'must be <id>:<base64 of 32 bytes>'],
    ['OUTCOME_HORIZON_MS', '0', ''],
    ['OUTCOME_HORIZON_MS', '1.5', ''],
  ])('refuses %s = %s', (name, value, words) => {
    const problem = problemOf({ [name]: value });
    expect(problem).toContain(`  ${name}`);
    expect(problem).toContain(words);
    expect(problem).not.toContain(planted);
  });
});

function problemOf(changes: NodeJS.ProcessEnv): string {
  try {
    read(changes);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('the environment was accepted');
}
