import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { forAllTests } from '../helpers/shared.js';
import { payout } from '../lifecycle/payout/sample-payouts.js';
import { billing, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { type Answer, ApiFixture, authorizedState } from './api-fixture.js';

interface Operation {
  readonly operationId: string;
  readonly 'x-internal'?: boolean;
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref?: string } } };
  };
}

const notifications = {
  allowsAnyAddress: true,
  resolve: async () => [{ address: '192.0.2.1', family: 4 }],
};
const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 1, notifications }));
let operations: readonly (Operation & { readonly path: string; readonly method: string })[];
let schemas: Readonly<Record<string, { readonly example?: object }>>;
beforeAll(async () => {
  const { body } = await api.call('GET', '/openapi.json', { apiKey: null });
  const document = body as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: typeof schemas };
  };
  schemas = document.components.schemas;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );
});

const sent = new Set<string>();

/** Sends the example of an operation's body, for these parameters of its path. */
async function send(
  operationId: string,
  path: Readonly<Record<string, string>> = {},
  change: object = {},
): Promise<Answer> {
  const operation = operations.find((each) => each.operationId === operationId);
  const component = operation?.requestBody?.content['application/json'].schema.$ref?.split('/').at(-1) ?? '';
  const address = operation?.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => path[name] ?? '') ?? '';
  sent.add(operationId);
  return await api.call(operation?.method.toUpperCase() ?? '', address, {
    body: { ...schemas[component]?.example, ...change },
    idempotencyKey: randomUUID(),
  });
}

function assertTaken(operationId: string, { status, text }: Answer): void {
  expect([200, 201, 202], `${operationId}: ${text}`).toContain(status);
}

async function ordered(operationId: string, change: object = {}): Promise<string> {
  const answer = await send(operationId, {}, change);
  assertTaken(operationId, answer);
  return String(answer.body['id']);
}

async function activePlan(): Promise<string> {
  const planId = await ordered('orderPlan');
  const { state } = await api.db
    .selectFrom('plans')
    .select('state')
    .where('id', '=', planId)
    .executeTakeFirstOrThrow();
  const { openStep: _done, ...rest } = state;
  await api.db
    .updateTable('plans')
    .set({ status: 'active', state: JSON.stringify({ ...rest, status: 'active', providerPlanId: 'P-1' }) })
    .where('id', '=', planId)
    .execute();
  return planId;
}

async function subscriptionThatIs(status: 'active' | 'suspended', outstandingMinor = 0): Promise<string> {
  const id = await ordered('orderSubscription', { planId: await activePlan() });
  const state = { ...subscription(status), subscriptionId: id, billing: { ...billing, outstandingMinor } };
  await api.db
    .updateTable('subscriptions')
    .set({ status, state: JSON.stringify(state) })
    .where('id', '=', id)
    .execute();
  return id;
}

const capture = { captureId: 'CAP-1', minor: 3_000, status: 'completed', final: false } as const;
const day = 24 * 3_600_000;

function heldFor(days: number): Partial<PaymentState> {
  return authorizedState(Date.now() - days * day);
}

describe('the example of a request is taken as it is', () => {
  test.each(['orderPayment', 'orderPayout', 'orderPlan'])('%s', async (operationId) => {
    await ordered(operationId);
  });

  test('orderSubscription, for a plan that exists', async () => {
    await ordered('orderSubscription', { planId: await activePlan() });
  });

  test.each([
    ['capturePayment', heldFor(0)],
    ['voidPayment', heldFor(0)],
    ['reauthorizePayment', heldFor(4)],
    ['releasePayment', { ...heldFor(0), status: 'partially_captured', captures: [capture] }],
    ['refundPayment', { ...heldFor(0), status: 'partially_captured', captures: [capture] }],
    ['cancelPayment', { status: 'awaiting_approval' }],
    ['checkPayment', heldFor(0)],
  ] as const)('%s', async (operationId, state) => {
    assertTaken(operationId, await send(operationId, { id: await api.paymentWith(state) }));
  });

  test.each([
    ['suspendSubscription', 'active', 0],
    ['reactivateSubscription', 'suspended', 0],
    ['cancelSubscription', 'active', 0],
    ['billBalanceOfSubscription', 'active', 900],
    ['setBalanceOfSubscription', 'active', 900],
    ['checkSubscription', 'active', 0],
  ] as const)('%s', async (operationId, status, outstandingMinor) => {
    assertTaken(
      operationId,
      await send(operationId, { id: await subscriptionThatIs(status, outstandingMinor) }),
    );
  });

  test('those of a plan', async () => {
    assertTaken('checkPlan', await send('checkPlan', { id: await activePlan() }));
    assertTaken('deactivatePlan', await send('deactivatePlan', { id: await activePlan() }));
  });

  test('those of a payout and its items', async () => {
    const id = await ordered('orderPayout', { reference: randomUUID() });
    const state = JSON.stringify({ ...payout('settling'), payoutId: id });
    await api.db.updateTable('payouts').set({ status: 'settling', state }).where('id', '=', id).execute();
    await api.db
      .updateTable('payout_items')
      .set({ status: 'unclaimed', provider_item_id: 'ITEM-1' })
      .where('payout_id', '=', id)
      .execute();
    assertTaken('checkPayout', await send('checkPayout', { id }));
    assertTaken('cancelPayoutItem', await send('cancelPayoutItem', { id, itemId: 'anna-1' }));
  });

  test('those of a refund', async () => {
    const id = await api.paymentWith({ ...heldFor(0), status: 'partially_captured', captures: [capture] });
    const refund = await send('refundPayment', { id });
    assertTaken('checkRefund', await send('checkRefund', { id: String(refund.body['id']) }));
  });

  test('those of an endpoint', async () => {
    const endpoint = { id: await ordered('registerNotificationEndpoint') };
    for (const operationId of [
      'rotateNotificationSecret',
      'replayNotifications',
      'changeNotificationEndpoint',
    ])
      assertTaken(operationId, await send(operationId, endpoint));
  });

  test('a decision: it is accepted, and waits for the worker that nobody runs here', async () => {
    const step = { type: 'captureAuthorization', commandId: 'cmd_1', minor: 10_000, final: true } as const;
    const openStep = { ...runningStep(2, step, Date.now()), phase: 'doubt' as const };
    const id = await api.paymentWith({ ...heldFor(0), status: 'needs_review', openStep });
    expect((await send('decidePaymentReview', { id })).status).toBe(503);
    const decided = await api.db
      .selectFrom('commands')
      .select('status')
      .where('subject_id', '=', id)
      .where('kind', '=', 'decide')
      .execute();
    expect(decided).toEqual([{ status: 'accepted' }]);
  });

  test('and there is no other, but the decisions of other subjects, which read the same', () => {
    const withBody = operations
      .filter((operation) => operation.requestBody && !operation['x-internal'])
      .map(({ operationId }) => operationId);
    const decisions = ['decidePayoutReview', 'decideRefundReview', 'decideSubscriptionReview'];
    expect(withBody.toSorted()).toEqual([...sent, ...decisions].toSorted());
  });
});
