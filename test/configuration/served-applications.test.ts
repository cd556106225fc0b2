import { expect, it } from 'vitest';
import { apiConfigOf, apiEnvironment } from '#api/environment.js';
import { readEnvironment } from '#configuration';
import { workerEnvironment } from '#worker/worker-config.js';
import {
  apiEnvironment as apiOfStack,
  workerEnvironment as workerOfStack,
} from '#tools/stack-environment.js';

const served = {
  environment: 'sandbox',
  application: 'shop',
  baseUrl: 'http://127.0.0.1:4000',
  webhookSecret: 'w'.repeat(24),
  webhookAuthentication: 'signature',
};
const credentials = { clientId: 'client', clientSecret: 'planted-secret' };
const variables = (applications: readonly object[]): NodeJS.ProcessEnv => ({
  DATABASE_URL: 'postgres://engine:password@127.0.0.1:5432/engine',
  PROVIDER_APPLICATIONS: JSON.stringify(applications),
  CODEC_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  PUBLIC_URL: 'http://127.0.0.1:3000',
  API_KEYS: JSON.stringify([
    { id: 'k', sha256: '0'.repeat(64), environment: 'sandbox', application: 'shop' },
  ]),
});
const api = (applications: readonly object[]) =>
  apiConfigOf(readEnvironment(apiEnvironment, variables(applications)));

it('the API starts without the credentials of the provider, the worker does not', () => {
  expect(api([served]).applications).toEqual([served]);
  expect(() => readEnvironment(workerEnvironment, variables([served]))).toThrow(/clientId[^]*clientSecret/);
});

it('the API forgets a secret of the provider that it is given', () => {
  expect(JSON.stringify(api([{ ...served, ...credentials }]))).not.toContain(credentials.clientSecret);
});

it('several applications without credentials are not taken for one account', () => {
  const other = { ...served, application: 'bookshop', webhookSecret: 'v'.repeat(24) };
  expect(api([served, other]).applications).toHaveLength(2);
});

it('npm start gives the provider’s secret to the worker only', () => {
  const addresses = {
    api: 'http://127.0.0.1:3000',
    sandbox: 'http://127.0.0.1:4000',
    temporalAddress: '127.0.0.1:7233',
    temporalUi: undefined,
    engineDatabase: 'postgres://127.0.0.1/engine',
    sandboxDatabase: 'postgres://127.0.0.1/sandbox',
  };
  const config = {
    clientId: 'client',
    clientSecret: 'planted-secret',
    webhookSecret: 'w'.repeat(24),
    apiKey: 'key',
    codecKey: Buffer.alloc(32).toString('base64'),
  };
  expect(JSON.stringify(apiOfStack(addresses, config, addresses.api))).not.toContain(config.clientSecret);
  expect(JSON.stringify(workerOfStack(addresses, config, 0))).toContain(config.clientSecret);
});
