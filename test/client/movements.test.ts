import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { PaymentsError, type PaymentsClient } from '#payments-client';
import { forAllTests } from '../helpers/shared.js';
import { captureRequest, wireAuthorization, wireCapture, wirePayoutBatch, wireRefund } from './answers.js';
import { payoutRequest, refundRequest } from './billing-requests.js';
import {
  type Behaviour,
  hangUp,
  json,
  raw,
  startScriptedProvider,
  tokenRefused,
  truncated,
} from './scripted-provider.js';

let client: PaymentsClient;
const provider = forAllTests(startScriptedProvider);
beforeAll(() => {
  client = provider.client({ retry: { maxAttempts: 4, baseDelayMs: 0, maxDelayMs: 0 } });
});

/** A provider may fail in any way after it has done the work, or before; a refusal alone says that it has not. */
interface Turn {
  readonly doesIt: boolean;
  readonly reply: Behaviour;
}

const refusals = [
  tokenRefused,
  json(429, {}, { 'retry-after': '0' }),
  json(400, { name: 'PAYMENT_STATE_INVALID' }),
  json(404, { name: 'INVALID_RESOURCE_ID' }),
  json(409, { name: 'RESOURCE_CONFLICT' }),
];
const failures = [
  hangUp,
  raw(200, '<html>'),
  json(500, {}),
  json(503, {}, { 'retry-after': '0' }),
  raw(408, ''),
];

const turnsOf = (answer: unknown): fc.Arbitrary<Turn[]> => {
  const failure = fc.record({
    doesIt: fc.boolean(),
    reply: fc.constantFrom(...failures, truncated(200, answer)),
  });
  const refusal = fc.record({ doesIt: fc.constant(false), reply: fc.constantFrom(...refusals) });
  const success = fc.constant({ doesIt: true, reply: json(200, answer) });
  return fc.array(fc.oneof(failure, refusal, success), { minLength: 12, maxLength: 12 });
};

/** Plays the turns in order; `isKeyed`: the provider does the work of one key once. */
async function movementsOf(turns: readonly Turn[], isKeyed: boolean, call: () => Promise<unknown>) {
  let movements = 0;
  const left = [...turns];
  provider.script((response, request) => {
    const turn = left.shift();
    if (turn === undefined) throw new Error('more was sent than any policy allows');
    if (turn.doesIt && !(isKeyed && movements === 1)) movements += 1;
    turn.reply(response, request);
  });
  const outcome: unknown = await call().then(
    () => 'done',
    (error: unknown) => (error instanceof PaymentsError ? error.kind : error),
  );
  return { movements, outcome };
}

const promise = ({ movements, outcome }: { movements: number; outcome: unknown }) => {
  expect(movements).toBeLessThanOrEqual(1);
  if (outcome === 'done') expect(movements).toBe(1);
  // Any other word for a failure tells the engine that no money has moved.
  else if (outcome !== 'unknown_outcome') expect(movements).toBe(0);
};

const key = { requestId: 'request-1' };
const capture = () => client.authorizations.capture('AUTH-1', captureRequest, key);
const amount = { value: '1.00', currency: 'USD' };
const bill = { note: 'why', amount };
const release = () => client.authorizations.void('AUTH-1', key);

it('a capture moves money at most once, and is never called undone after it did', async () => {
  await fc.assert(
    fc.asyncProperty(turnsOf(wireCapture), async (turns) => {
      promise(await movementsOf(turns, false, capture));
    }),
    { numRuns: 300 },
  );
});

it('a void releases at most once, and is never called undone after it did', async () => {
  await fc.assert(
    fc.asyncProperty(turnsOf(wireAuthorization), async (turns) => {
      promise(await movementsOf(turns, true, release));
    }),
    { numRuns: 300 },
  );
});

it.each([
  [
    'a reauthorization',
    false,
    wireAuthorization,
    () => client.authorizations.reauthorize('AUTH-1', { amount }, key),
  ],
  ['a collection of what is owed', false, {}, () => client.agreements.billBalance('I-1', bill, key)],
  ['a refund', true, wireRefund, () => client.captures.refund('CAP-1', refundRequest, key)],
  ['a payout', true, wirePayoutBatch, () => client.payouts.create(payoutRequest, key)],
] as const)(
  '%s moves money at most once, and is never called undone after it did',
  async (_, isKeyed, answer, call) => {
    await fc.assert(
      fc.asyncProperty(turnsOf(answer), async (turns) => {
        promise(await movementsOf(turns, isKeyed, call));
      }),
      { numRuns: 100 },
    );
  },
);
