import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATION_NAMES } from '#sandbox/http/operations.js';
import { sized } from '../../helpers/sized.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { Subscriptions } from '../subscriptions/subscription-calls.js';
import { Chance } from './chance.js';
import { ENDPOINTS, PAYER_PAGES, SIDE_DOORS, type Endpoint } from './endpoints.js';
import { Identifiers } from './identifiers.js';
import { Requests } from './requests.js';
import { Volley } from './volley.js';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_301);
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? sized(4_000, 21_000));
const AT_A_TIME = 16;
/** For a machine that has other work. */
const LONGEST_MS = 1_200_000;
/** Held after the garbage is collected, by service and test together: the call history alone may have 32 MB of texts to write. */
const MOST_HELD_BYTES = 128 * 1024 * 1024;
/** Pages of the dashboard that are looked at for more links and forms. */
const MOST_PAGES = 30;
const UNKNOWN = 'PAY-0XL713371A312273YKE2GCNI';

describe('the fuzzed service', () => {
  let sandbox: SandboxFixture;
  let volley: Volley;
  let requests: Requests;
  const identifiers = new Identifiers();
  const chance = new Chance(SEED);
  let heldAtStart: number;

  beforeAll(async () => {
    // Short days, so that what the clock does runs among the requests.
    sandbox = await SandboxFixture.start({ dayLengthMs: 2_000 });
    await sandbox.request('PUT', '/admin/applications/other', {
      clientSecret: 'other',
      approval: 'immediate',
    });
    const tokens = { owner: await sandbox.newToken(), other: await sandbox.newToken('other', 'other') };
    // Its agreement takes three calls that belong together, which chance seldom makes.
    const subscriptions = new Subscriptions(sandbox);
    const agreement = await subscriptions.get(await subscriptions.agreement());
    identifiers.learnFrom(JSON.stringify(agreement));
    volley = new Volley(sandbox.url, identifiers, AT_A_TIME);
    requests = new Requests(chance, identifiers, tokens);
    heldAtStart = heldBytes();
  });
  afterAll(async () => {
    console.log(`fuzz: ${volley.total} requests, ${JSON.stringify(volley.counts)}, seed ${SEED}`);
    await volley.close();
    await sandbox.stop();
  });

  it.each(ENDPOINTS.map(({ method, path }): [string, string] => [method, path]))(
    '%s %s is an existing address',
    async (method, path) => {
      const filled = path.replaceAll(/\{\w+\}/g, UNKNOWN);
      const { status } = await sandbox.request(method, filled, method === 'GET' ? undefined : {});
      // Without a token an existing address answers 401, and any other address 404.
      expect(status).toBe(path.includes('oauth2') ? 415 : 401);
    },
  );

  it(
    'answers no request of the interface with a server error',
    async () => {
      await volley.send(Math.ceil(REQUESTS * 0.85), () =>
        chance.happens(0.1)
          ? requests.random()
          : requests.to(chance.pick(chance.happens(0.1) ? PAYER_PAGES : ENDPOINTS)),
      );
      volley.expectNothingFound();
    },
    LONGEST_MS,
  );

  it(
    'answers no browser and no operator with a server error',
    async () => {
      const doors: Endpoint[] = [...SIDE_DOORS, ...(await dashboardOf(sandbox))];
      await volley.send(Math.ceil(REQUESTS * 0.15), () => requests.to(chance.pick(doors)));
      await sandbox.request('DELETE', '/admin/faults');
      volley.expectNothingFound();
    },
    LONGEST_MS,
  );

  it('survives bytes that are not HTTP', async () => {
    for (const bytes of BYTES) await hurl(sandbox.url, bytes);
    expect((await sandbox.request('GET', '/healthz')).status).toBe(200);
  });

  it('was reached in every operation, and had resources of every kind', async () => {
    // The call log is written behind the answers; whoever reads it over the API has it complete.
    await sandbox.request('GET', '/admin/calls?limit=1');
    const called = await sandbox.sql('SELECT DISTINCT operation FROM calls');
    const missed = OPERATION_NAMES.filter((name) => !called.some(({ operation }) => operation === name));
    expect(missed).toEqual([]);
    const kinds = ENDPOINTS.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, kind]) => kind));
    expect(identifiers.kinds).toEqual(expect.arrayContaining([...new Set(kinds)]));
  });

  it('has correct books, continues to serve, and holds no more memory than it needs', async () => {
    expect(await sandbox.violations()).toEqual([]);
    const { status, body } = await sandbox.createPayment();
    expect(status).toBe(201);
    expect((await sandbox.call('GET', `/v1/payments/payment/${body.id}`)).body).toEqual(body);
    expect(heldBytes() - heldAtStart).toBeLessThan(MOST_HELD_BYTES);
  });
});

/** What is still held in memory once the garbage is collected. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Pages and forms of the dashboard, found as a visitor finds them: by its links. */
async function dashboardOf(sandbox: SandboxFixture): Promise<Endpoint[]> {
  const found = new Map<string, Endpoint>();
  const toVisit = new Set(['/dashboard']);
  // A set goes on over what is added while it is gone through.
  for (const path of toVisit) {
    const page = String((await sandbox.request('GET', path)).body);
    const names = [...page.matchAll(/<(?:input|select)\b[^>]*\bname="([^"]+)"/g)].map(([, name]) => name!);
    found.set(path, { area: 'admin', method: 'GET', path: path.split('?')[0]!, query: [...new Set(names)] });
    for (const [, action] of page.matchAll(/<form\b[^>]*method="post"[^>]*action="([^"]+)"/gi)) {
      found.set(`POST ${action}`, { area: 'admin', method: 'POST', path: action! });
    }
    for (const [, href] of page.matchAll(/href="(\/dashboard[^"#]*)"/g)) {
      if (toVisit.size < MOST_PAGES) toVisit.add(href!.replaceAll('&amp;', '&'));
    }
  }
  return [...found.values()];
}

const BYTES = [
  '\0\x01GARBAGE\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /v1/payments/payment HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'POST /v1/payments/payment HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /v1/payments/payment HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'POST /v1/payments/payment HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n{}',
  'POST /v1/payments/payment HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`,
  'GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n',
  'get / http/1.1\r\nhost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];

/** Sends bytes, and waits until the service has closed the connection or said something that is no server error. */
function hurl(url: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(Buffer.from(bytes, 'latin1')));
    socket.on('error', () => undefined);
    socket.on('data', (answer) => {
      if (/^HTTP\/1\.1 5(?!05)/.test(answer.toString())) reject(new Error(answer.toString().slice(0, 200)));
    });
    socket.on('close', () => resolve());
  });
}
