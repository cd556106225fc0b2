import { createHash, randomBytes } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { temporalSecurityOf } from '#configuration';
import { openTemporalClient } from '#runs';
import { ApiProcess } from '../api/api-process.js';
import { Authority } from '../helpers/certificates.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { OrderService } from '../helpers/order-service.js';
import { gateName, openTemporalGate } from '../helpers/temporal-gate.js';
import { WorkerProcess } from './worker-process.js';

const temporalKey = randomBytes(16).toString('hex');
const authority = await Authority.create();
const { certFile, keyFile } = await authority.certify('engine.example');
const [mutual, keyed] = await Promise.all([
  openTemporalGate(authority, inject('temporalAddress'), { certificate: true }),
  openTemporalGate(authority, inject('temporalAddress'), { apiKey: temporalKey }),
]);
afterAll(() => {
  mutual.close();
  keyed.close();
  authority.remove();
});

const tls = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.certFile,
  TEMPORAL_TLS_SERVER_NAME: gateName,
};
const certificate = { TEMPORAL_TLS_CLIENT_CERT_PATH: certFile, TEMPORAL_TLS_CLIENT_KEY_PATH: keyFile };
const apiKey = { TEMPORAL_API_KEY: temporalKey };

type Gate = typeof mutual;
type Variables = Parameters<typeof temporalSecurityOf>[0];

/** The connection of the API, and that of the worker's own calls. */
async function callAsClient({ address }: Gate, variables: Variables): Promise<void> {
  const { connection } = openTemporalClient({
    address,
    namespace: 'default',
    security: temporalSecurityOf(variables),
    codecKeys: { current: 'k', keys: new Map([['k', randomBytes(32)]]) },
    caller: 'api',
  });
  try {
    await connection.withDeadline(Date.now() + 60_000, () => connection.workflowService.getSystemInfo({}));
  } finally {
    await connection.close();
  }
}

/** The connection by which the worker polls. */
async function connectAsWorker({ address }: Gate, variables: Variables): Promise<void> {
  const connection = await NativeConnection.connect({ address, ...temporalSecurityOf(variables) });
  await connection.close();
}

describe.each([
  ['a client', callAsClient],
  ['a polling worker', connectAsWorker],
] as const)('%s', (_caller, call) => {
  it.each([
    ['a certificate of ours', mutual, { ...tls, ...certificate }],
    ['an API key', keyed, { ...tls, ...apiKey }],
  ] as const)('calls a Temporal that demands %s', async (_demand, gate, variables) => {
    const before = gate.passed();
    await call(gate, variables);
    expect(gate.passed()).toBeGreaterThan(before);
  });

  it.each([
    ['the certificate', mutual, tls],
    ['the certificate, with an API key instead', mutual, { ...tls, ...apiKey }],
    ['the API key', keyed, tls],
    ['the right API key', keyed, { ...tls, TEMPORAL_API_KEY: 'another' }],
    [
      'the name in the frontend’s certificate',
      keyed,
      { ...apiKey, ...tls, TEMPORAL_TLS_SERVER_NAME: undefined },
    ],
    ['the authority of the frontend', keyed, { ...apiKey, TEMPORAL_TLS_SERVER_NAME: gateName }],
    ['TLS', keyed, { ...apiKey, TEMPORAL_TLS: 'false' }],
  ] as const)('is refused without %s', async (_lack, gate, variables) => {
    const before = gate.passed();
    await expect(call(gate, variables)).rejects.toThrow();
    expect(gate.passed()).toBe(before);
  });
});

describe.each([
  ['a certificate of ours', mutual, { ...tls, ...certificate }],
  ['an API key', keyed, { ...tls, ...apiKey }],
] as const)('an API and a worker before a Temporal that demands %s', (_demand, gate, variables) => {
  let engine: Engine;
  const processes: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    engine = await startEngine({ approval: 'immediate', withWorker: false });
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.close()));
    await engine.close();
  });

  it('carry a payment from the order to its authorization', async () => {
    const env = { ...engine.apiVariables, ...variables, TEMPORAL_ADDRESS: gate.address };
    processes.push(await WorkerProcess.start(engine, env));
    const orderKey = randomBytes(16).toString('hex');
    const sha256 = createHash('sha256').update(orderKey).digest('hex');
    const key = { id: 'k', sha256, environment: 'sandbox', application: 'shop' };
    const { databaseUrl, application } = engine;
    const api = await ApiProcess.start({
      databaseUrl,
      applications: [application],
      env: { ...env, API_KEYS: JSON.stringify([key]) },
    });
    processes.push(api);
    const orders = new OrderService(api.url, orderKey);
    const { body } = await orders.order();
    await orders.reaches(body.id, 'authorized');
  });
});
