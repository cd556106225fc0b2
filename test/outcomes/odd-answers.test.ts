import { afterEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { held, identitiesOf, liveUntil, promptProvider } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 4_000, final: false } as const;

/** Every look comes after the horizon: what it shows to be absent is proved to be. */
const promptly = { patience: { ...testWaitPolicy, outcomeHorizonMs: 1 } };

/** Strikes the capture itself, and every read that looks for it. */
const faults: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  ['429', { kind: 'status', status: 429, retryAfter: 1 }, { kind: 'status', status: 429, retryAfter: 0 }],
  ['500', { kind: 'status', status: 500 }, { kind: 'status', status: 500 }],
  ['503', { kind: 'status', status: 503 }, { kind: 'status', status: 503 }],
  ['an answer in drops', { kind: 'drip', everyMs: 20 }, { kind: 'drip', everyMs: 20 }],
  ['truncated JSON', { kind: 'garbage', body: 'truncated' }, { kind: 'garbage', body: 'truncated' }],
  ['HTML', { kind: 'garbage', body: 'html' }, { kind: 'garbage', body: 'html' }],
  ['nothing at all', { kind: 'garbage', body: 'empty' }, { kind: 'garbage', body: 'empty' }],
  ['an unknown state', { kind: 'unknown_enum', field: 'state' }, { kind: 'unknown_enum', field: '**.state' }],
  [
    'surplus fields',
    { kind: 'reshape', add: { surplus: { deep: [1] } } },
    { kind: 'reshape', add: { surplus: null } },
  ],
  ['a missing field', { kind: 'reshape', remove: ['state'] }, { kind: 'reshape', remove: ['transactions'] }],
];

describe('case 5: a provider with unexpected answers', () => {
  it.each(faults)('%s to a capture and to its lookup: one movement, and it ends', async (_, post, read) => {
    stage = await openStage(promptly);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    await stage.sandbox.fault({ operation: 'authorization.capture', ...post });
    await stage.sandbox.fault({ operation: 'payment.get', ...read });
    const ended = await liveUntil(worker, await worker.take(authorized, capture), 'partially_captured');
    expect(ended.state.captures).toMatchObject([{ commandId: 'cmd_1', minor: 4_000, status: 'completed' }]);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
  });
});

describe('case 6: a token', () => {
  it('that is revoked in the middle of a run is replaced, and money moves once', async () => {
    stage = await openStage(promptProvider);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    await stage.sandbox.revokeTokens();
    const ended = await worker.take(authorized, capture);
    expect(ended.state.status).toBe('partially_captured');
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
  });

  it('that cannot be fetched defers the step, unsent, until it can', async () => {
    stage = await openStage(promptProvider);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    await stage.sandbox.revokeTokens();
    await stage.sandbox.fault({ operation: 'token', kind: 'status', status: 503, times: 4 });
    const ended = await liveUntil(worker, await worker.take(authorized, capture), 'partially_captured');
    expect(ended.state.captures).toHaveLength(1);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
    const sent = await identitiesOf(stage, 'captureAuthorization');
    expect(sent.map(({ outcome }) => outcome)).toEqual(['deferred', 'answered']);
    expect(new Set(sent.map(({ request_id }) => request_id)).size).toBe(1);
  });
});
