import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PayoutService, item } from '../payouts/payout-service.js';
import { DoubtStage, type PendingOperation, type Shown, usd } from './doubt-stage.js';

const reviewAfterMs = 20_000;

let stage: DoubtStage;
beforeAll(async () => {
  stage = await DoubtStage.start({ reviewAfterMs });
});
beforeEach(() => stage.tellsNothing());
afterEach(() => stage.engine.sandbox.clearFaults());
afterAll(async () => {
  await stage.engine.close();
});

const linkOf = ({ links }: Shown, rel: string) => links.find((link) => link.rel === rel)?.href ?? '';

/** When it came under review, by its own story. */
async function reviewedAt(id: string): Promise<number> {
  const { at } = await stage.engine.db
    .selectFrom('timeline')
    .select('at')
    .where('subject_id', '=', id)
    .where('to_status', '=', 'needs_review')
    .executeTakeFirstOrThrow();
  return at.getTime();
}

const instant = (at: string | null | undefined) => Date.parse(at ?? '');

/** Whatever was lost: what its caller sees, and when a person is asked. */
async function isVisibleAndReviewedOnTime(
  address: string,
  expected: Partial<PendingOperation>,
): Promise<void> {
  const doubtful = await stage.inDoubt(address);
  const { pendingOperation } = doubtful;
  expect(pendingOperation).toMatchObject(expected);
  const [since, nextCheckAt, reviewAt] = [
    instant(pendingOperation?.since),
    instant(pendingOperation?.nextCheckAt),
    instant(pendingOperation?.reviewAt),
  ];
  expect(reviewAt - since).toBeGreaterThanOrEqual(reviewAfterMs);
  expect(reviewAt).toBeLessThan(nextCheckAt);
  const review = linkOf(doubtful, 'review').replace(stage.engine.apiUrl, '');
  expect(await stage.engine.orders.read(review)).toMatchObject({
    step: { phase: 'doubt', looks: expect.any(Number) },
  });

  const asked = await stage.stands(address, 'needs_review');
  expect(asked.pendingOperation).toMatchObject({ ...expected, reviewAt: null });
  const at = await reviewedAt(doubtful.id);
  expect(at).toBeGreaterThanOrEqual(reviewAt);
  expect(at).toBeLessThan(nextCheckAt);
}

describe('a doubt is seen by its caller, and a person is asked when it was said, though no look is due', () => {
  it('of a capture', async () => {
    await isVisibleAndReviewedOnTime(await stage.lostCapture(), { kind: 'capture', amount: usd('40.00') });
  });

  it('of a void', async () => {
    const id = await stage.held();
    await stage.losesAnswers('authorization.void');
    void stage.engine.orders.void(id).catch(() => undefined);
    await isVisibleAndReviewedOnTime(`/v1/payments/${id}`, { kind: 'void', amount: usd('100.00') });
  });

  it('of a refund', async () => {
    await isVisibleAndReviewedOnTime(await stage.lostRefund(), { kind: 'refund', amount: usd('12.50') });
  });

  it('of a payout', async () => {
    await stage.losesAnswers('payout.create');
    const { body } = await new PayoutService(stage.engine).order([item('anna')]);
    await isVisibleAndReviewedOnTime(`/v1/payouts/${body.id}`, { kind: 'payout', amount: usd('7.50') });
  });

  it('of a subscription’s suspension', async () => {
    const address = await stage.subscribed();
    await stage.losesAnswers('agreement.suspend');
    void stage.subscriptions.post(`${address}/suspend`, {}).catch(() => undefined);
    await isVisibleAndReviewedOnTime(address, { kind: 'suspend', amount: null });
  });
});

it('shows what is under way, and nothing once it is done', async () => {
  const id = await stage.held();
  await stage.fault('authorization.capture', { kind: 'delay', delayMs: 4_000 });
  const capture = stage.engine.orders.capture(id, { amount: usd('40.00') });
  const address = `/v1/payments/${id}`;
  const { pendingOperation } = await stage.stands(address, 'capturing');
  expect(pendingOperation).toMatchObject({
    kind: 'capture',
    amount: usd('40.00'),
    nextCheckAt: null,
    reviewAt: null,
  });
  await capture;
  expect(await stage.stands(address, 'partially_captured')).toMatchObject({ pendingOperation: null });
});
