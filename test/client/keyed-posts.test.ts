import { describe, expect, it } from 'vitest';
import { UnknownOutcomeError } from '#payments-client';
import { forEachTest } from '../helpers/shared.js';
import { wireAuthorization, wirePayment, error } from './answers.js';
import { hangUp, json, neverAnswer, truncated, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };
const execute = (client = provider.client()) => client.payments.execute('PAY-1', { payerId: 'PAYER1' }, key);

describe('case 5: a money POST with a declared key (execute, void)', () => {
  it.each([
    ['the reply is lost', hangUp],
    ['the answer is cut short', truncated(200, wirePayment)],
    ['the provider fails inside', json(500, error('INTERNAL_SERVER_ERROR'))],
    ['the answer lacks its state', json(200, { id: 'PAY-1' })],
    ['the rate is too high', json(429, {}, { 'retry-after': '0' })],
  ])('is sent again with the same key when %s', async (_, behaviour) => {
    provider.script(behaviour, json(200, wirePayment));
    await expect(execute()).resolves.toMatchObject({ id: 'PAY-1', state: 'approved' });
    expect(provider.requests.map(({ headers }) => headers['paypal-request-id'])).toEqual([
      'request-1',
      'request-1',
    ]);
    expect(new Set(provider.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('waits for the lost first use of its key, which answers 409 until it has ended', async () => {
    provider.script(hangUp, json(409, error('RESOURCE_CONFLICT')), json(200, wirePayment));
    await expect(execute()).resolves.toMatchObject({ state: 'approved' });
  });

  it('fails at once with a conflict that no lost use of its key explains', async () => {
    provider.script(json(409, error('RESOURCE_CONFLICT')), json(200, wirePayment));
    await expect(execute()).rejects.toMatchObject({ kind: 'conflict' });
    expect(provider.requests).toHaveLength(1);
  });

  it('keeps its unknown outcome when a refusal follows a lost reply, because the first request may have succeeded', async () => {
    provider.script(hangUp, json(400, error('PAYMENT_STATE_INVALID')));
    const outcome = await execute().catch((thrown: unknown) => thrown);
    expect(outcome).toBeInstanceOf(UnknownOutcomeError);
    expect(outcome).toMatchObject({
      reason: 'connection_lost',
      evidence: { laterAnswer: { kind: 'rejected', status: 400, code: 'PAYMENT_STATE_INVALID' } },
    });
    expect(provider.requests).toHaveLength(2);
  });

  it('keeps its unknown outcome when the key is poisoned: the same failure every time', async () => {
    provider.script(json(500, error('INTERNAL_SERVER_ERROR')));
    await expect(
      execute(provider.client({ retry: { maxAttempts: 3, baseDelayMs: 1 } })),
    ).rejects.toMatchObject({
      kind: 'unknown_outcome',
      reason: 'server_error',
      status: 500,
    });
    expect(provider.requests).toHaveLength(3);
  });

  it('keeps its unknown outcome when its caller aborts between two attempts', async () => {
    provider.script(hangUp);
    const abort = new AbortController();
    const client = provider.client({
      retry: { baseDelayMs: 1e6, maxDelayMs: 1e6 },
      totalTimeoutMs: 1e8,
      onCall: ({ operation }) => {
        if (operation === 'payment.execute') setImmediate(() => abort.abort());
      },
    });
    await expect(
      client.payments.execute('PAY-1', { payerId: 'PAYER1' }, { ...key, signal: abort.signal }),
    ).rejects.toMatchObject({ kind: 'unknown_outcome' });
    expect(provider.requests).toHaveLength(1);
  });

  it('ends within its total time limit, whatever the retry policy allows', async () => {
    provider.script(neverAnswer);
    const client = provider.client({
      // A token and two attempts fit in, however slow the machine.
      attemptTimeoutMs: 500,
      totalTimeoutMs: 3_000,
      retry: { maxAttempts: 1_000, baseDelayMs: 1, maxDelayMs: 1 },
    });
    await expect(execute(client)).rejects.toMatchObject({ kind: 'unknown_outcome', reason: 'timed_out' });
    expect(provider.requests.length).toBeGreaterThan(1);
    expect(provider.requests.length).toBeLessThan(10);
  });

  it('reads a voided authorization, which no longer has valid_until', async () => {
    provider.script(json(200, { ...wireAuthorization, state: 'voided', valid_until: undefined }));
    await expect(provider.client().authorizations.void('AUTH-1', key)).resolves.toMatchObject({
      state: 'voided',
      validUntil: undefined,
      paymentId: 'PAY-1',
    });
    expect(provider.requests[0]?.body).toBe('{}');
  });
});
