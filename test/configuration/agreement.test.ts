import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiEnvironment } from '#api/environment.js';
import { workerEnvironment } from '#worker/worker-config.js';
import { ConfigurationError, readEnvironment } from '#configuration';

const planted = 'planted-secret-that-must-not-show';
const shop = {
  environment: 'sandbox',
  application: 'shop',
  baseUrl: 'http://127.0.0.1:4000',
  clientId: 'shop-client',
  clientSecret: planted,
  webhookSecret: `${planted}-of-shop`,
  webhookAuthentication: 'signature',
};
const bookshop = {
  ...shop,
  application: 'bookshop',
  clientId: 'bookshop-client',
  webhookSecret: `${planted}-of-bookshop`,
};
const live = {
  ...shop,
  environment: 'live',
  baseUrl: 'https://payments.example',
  webhookSecret: `${planted}-of-live`,
};
const keyOf = (id: string, { environment, application }: typeof shop) => ({
  id,
  sha256: createHash('sha256').update(`${planted}-${id}`).digest('hex'),
  environment,
  application,
});

describe('the configuration that API and worker share', () => {
  it.each([
    ['one name twice', [shop, { ...bookshop, application: 'shop' }], 'PROVIDER_APPLICATIONS.1.application'],
    [
      'one webhook secret twice',
      [shop, { ...bookshop, webhookSecret: shop.webhookSecret }],
      'PROVIDER_APPLICATIONS.1.webhookSecret',
    ],
    [
      'one account under two names',
      [shop, { ...bookshop, baseUrl: `${shop.baseUrl}/`, clientId: shop.clientId }],
      'PROVIDER_APPLICATIONS.1.clientId',
    ],
    [
      'a live application without encryption',
      [shop, { ...live, baseUrl: 'http://payments.example' }],
      'PROVIDER_APPLICATIONS.1.baseUrl',
    ],
    [
      'test orders for a live service',
      [shop, { ...bookshop, baseUrl: live.baseUrl }, live],
      'PROVIDER_APPLICATIONS.1.baseUrl',
    ],
  ])('is refused with %s', (_what, applications, name) => {
    const variables = {
      PROVIDER_APPLICATIONS: JSON.stringify(applications),
      PUBLIC_URL: 'https://a.example',
    };
    expect(namesIn(problemOfApi(variables))).toEqual([name]);
    expect(namesIn(problemOfWorker(variables))).toEqual([name]);
  });

  it('is refused when a live application is reached without encryption', () => {
    const variables = {
      PROVIDER_APPLICATIONS: JSON.stringify([shop, live]),
      PUBLIC_URL: 'http://shop.example',
    };
    expect(namesIn(problemOfApi(variables))).toEqual(['PUBLIC_URL']);
    expect(namesIn(problemOfWorker(variables))).toEqual(['PUBLIC_URL']);
  });

  it('may name an application equally in both environments', () => {
    const variables = {
      PROVIDER_APPLICATIONS: JSON.stringify([shop, live]),
      PUBLIC_URL: 'https://shop.example',
    };
    expect(problemOfApi(variables)).toBe('');
    expect(problemOfWorker(variables)).toBe('');
  });
});

describe('the address of Temporal’s UI', () => {
  it.each([
    ['on another site', 'https://api.example', 'https://temporal.example'],
    ['on another machine', 'http://127.0.0.1:3000', 'http://127.0.0.2:8233'],
    ['under another name of the machine', 'http://localhost:3000', 'http://127.0.0.1:8233'],
    ['without encryption', 'https://api.shop.example', 'http://temporal.shop.example'],
  ])('is refused %s, where its pages would be shown nothing', (_where, PUBLIC_URL, TEMPORAL_UI_URL) => {
    expect(namesIn(problemOfApi({ PUBLIC_URL, TEMPORAL_UI_URL }))).toEqual(['TEMPORAL_UI_URL']);
  });

  it.each([
    ['http://localhost:3000', 'http://localhost:8233'],
    ['https://api.shop.example', 'https://temporal.ops.shop.example:8443/ui'],
    ['https://shop.example', 'https://temporal.shop.example'],
  ])('may be another one of the same site: %s, %s', (PUBLIC_URL, TEMPORAL_UI_URL) => {
    expect(problemOfApi({ PUBLIC_URL, TEMPORAL_UI_URL })).toBe('');
  });
});

it('sends notifications into the own network only where no application is live', () => {
  const variables = {
    PROVIDER_APPLICATIONS: JSON.stringify([shop, live]),
    PUBLIC_URL: 'https://shop.example',
    NOTIFICATION_ADDRESSES: 'any',
  };
  expect(namesIn(problemOfApi(variables))).toEqual(['NOTIFICATION_ADDRESSES']);
  expect(problemOfApi({ NOTIFICATION_ADDRESSES: 'any' })).toBe('');
});

describe('the identity provider of the console', () => {
  const acme = {
    issuer: 'https://id.example/realms/acme/',
    clientId: 'console',
    clientSecret: planted,
    groups: { operator: ['payments'] },
  };

  it.each([
    ['without encryption', { issuer: 'http://id.example' }, 'CONSOLE_OIDC.issuer'],
    ['without a group that may do something', { groups: {} }, 'CONSOLE_OIDC.groups'],
    [
      'with a role that there is not',
      { groups: { viewer: ['all'], owner: ['leads'] } },
      'CONSOLE_OIDC.groups',
    ],
    ['with scopes that ask for no ID token', { scope: 'profile email' }, 'CONSOLE_OIDC.scope'],
    ['without a secret', { clientSecret: undefined }, 'CONSOLE_OIDC.clientSecret'],
  ])('is refused %s', (_what, change, name) => {
    const CONSOLE_OIDC = JSON.stringify({ ...acme, ...change });
    expect(namesIn(problemOfApi({ CONSOLE_OIDC }))).toEqual([name]);
  });

  it('needs https in the address of the API, where its sessions are', () => {
    const variables = { CONSOLE_OIDC: JSON.stringify(acme), PUBLIC_URL: 'http://shop.example' };
    expect(namesIn(problemOfApi(variables))).toEqual(['CONSOLE_OIDC']);
    expect(problemOfApi({ ...variables, PUBLIC_URL: 'https://shop.example' })).toBe('');
  });

  it('may be without encryption on this machine', () => {
    expect(problemOfApi({ CONSOLE_OIDC: JSON.stringify({ ...acme, issuer: 'http://127.0.0.1:9000' }) })).toBe(
      '',
    );
  });
});

describe('the keys of order services', () => {
  it.each([
    ['of an application that is not configured', [keyOf('a', bookshop)], 'API_KEYS.0.application'],
    ['of an environment that is not configured', [keyOf('a', live)], 'API_KEYS.0.application'],
    [
      'of one id',
      [keyOf('a', shop), { ...keyOf('a', shop), sha256: keyOf('b', shop).sha256 }],
      'API_KEYS.1.id',
    ],
    ['without a scope', [{ ...keyOf('a', shop), scopes: [] }], 'API_KEYS.0.scopes'],
    ['with an unknown scope', [{ ...keyOf('a', shop), scopes: ['read', 'write'] }], 'API_KEYS.0.scopes.1'],
    [
      'with an expiry that is no instant',
      [{ ...keyOf('a', shop), expiresAt: 'soon' }],
      'API_KEYS.0.expiresAt',
    ],
    ['that are the same key', [keyOf('a', shop), { ...keyOf('a', shop), id: 'b' }], 'API_KEYS.1.sha256'],
  ])('are refused: %s', (_which, keys, name) => {
    expect(namesIn(problemOfApi({ API_KEYS: JSON.stringify(keys) }))).toEqual([name]);
  });
});

describe('the proxies in front of the API', () => {
  it.each(['10.0.0.0/8', '127.0.0.1, ::1', 'fd00::/8'])('may be %s', (TRUSTED_PROXIES) => {
    expect(problemOfApi({ TRUSTED_PROXIES })).toBe('');
  });

  it.each(['*', 'proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.1,', '0.0.0.0/0', '::/0'])(
    'may not be %s',
    (TRUSTED_PROXIES) => {
      expect(namesIn(problemOfApi({ TRUSTED_PROXIES }))).toEqual(['TRUSTED_PROXIES']);
    },
  );
});

it('reports every bad variable in one error, whether malformed or contradictory', () => {
  const problem = problemOfApi({
    PUBLIC_URL: 'javascript:alert(1)',
    TEMPORAL_UI_URL: 'javascript:alert(1)',
    API_KEYS: JSON.stringify([keyOf('a', shop), keyOf('a', live)]),
    PROVIDER_APPLICATIONS: JSON.stringify([shop, { ...live, baseUrl: 'http://payments.example' }]),
    FIRST_POLL_MS: '2000',
    LONGEST_POLL_MS: '1000',
  });
  expect(namesIn(problem).toSorted()).toEqual([
    'API_KEYS.1.id',
    'API_KEYS.1.sha256',
    'FIRST_POLL_MS',
    'PROVIDER_APPLICATIONS.1.baseUrl',
    'PUBLIC_URL',
    'TEMPORAL_UI_URL',
  ]);
  expect(problem).not.toContain(planted);
  expect(problem).not.toContain('alert');
});

it('reports a missing workflow bundle instead of running another one', () => {
  expect(namesIn(problemOfWorker({ WORKFLOW_BUNDLE: '/nowhere/bundle.js' }))).toEqual(['WORKFLOW_BUNDLE']);
});

it('refuses a worker that has a deployment without a version, or a version without a deployment', () => {
  const version = { TEMPORAL_DEPLOYMENT_NAME: 'payments/engine-worker', TEMPORAL_WORKER_BUILD_ID: '1.2.3' };
  expect(problemOfWorker(version)).toBe('');
  for (const name of Object.keys(version))
    expect(namesIn(problemOfWorker({ ...version, [name]: undefined }))).toEqual([name]);
});

const usable = {
  DATABASE_URL: 'postgres://engine:password@127.0.0.1:5432/engine',
  PROVIDER_APPLICATIONS: JSON.stringify([shop]),
  CODEC_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  PUBLIC_URL: 'http://127.0.0.1:3000',
  API_KEYS: JSON.stringify([keyOf('shop', shop)]),
};

const problemOfApi = (changes: NodeJS.ProcessEnv) => problemOf(apiEnvironment, changes);
const problemOfWorker = (changes: NodeJS.ProcessEnv) => problemOf(workerEnvironment, changes);

/** Empty when there is none. */
function problemOf(schema: Parameters<typeof readEnvironment>[0], changes: NodeJS.ProcessEnv): string {
  try {
    readEnvironment(schema, { ...usable, ...changes });
    return '';
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

function namesIn(problem: string): string[] {
  return [...problem.matchAll(/^ {2}([\w.]+): /gm)].map(([, name]) => name ?? '');
}
