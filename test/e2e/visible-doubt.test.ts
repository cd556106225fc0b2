import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { PayoutService, item } from '../payouts/payout-service.js';
import { DoubtStage, type PendingOperation, type Shown } from './doubt-stage.js';
import { usd } from '../helpers/usd.js';

const reviewAfterMs = 20_000;

const stage = forAllTests(
  () => DoubtStage.start({ reviewAfterMs }),
  ({ engine }) => engine.close(),
);

const linkOf = ({ links }: Shown, rel: string) => links.find((link) => link.rel === rel)?.href ?? '';

/** When it came under review, by its timeline. */
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

const doubts: readonly {
  readonly what: string;
  readonly expected: Partial<PendingOperation>;
  /** @returns the address of what is in doubt then. */
  readonly arise: () => Promise<string>;
}[] = [
  // First: it captures, and later captures lose their answers.
  {
    what: 'a refund',
    expected: { kind: 'refund', amount: usd('12.50') },
    arise: () => stage.lostRefund(),
  },
  {
    what: 'a capture',
    expected: { kind: 'capture', amount: usd('40.00') },
    arise: () => stage.lostCapture(),
  },
  {
    what: 'a void',
    expected: { kind: 'void', amount: usd('100.00') },
    arise: async () => {
      const id = await stage.held();
      await stage.losesAnswers('authorization.void');
      void stage.engine.orders.void(id).catch(() => undefined);
      return `/v1/payments/${id}`;
    },
  },
  {
    what: 'a payout',
    expected: { kind: 'payout', amount: usd('7.50') },
    arise: async () => {
      await stage.losesAnswers('payout.create');
      const { body } = await new PayoutService(stage.engine).order([item('anna')]);
      return `/v1/payouts/${body.id}`;
    },
  },
  {
    what: 'a subscription’s suspension',
    expected: { kind: 'suspend', amount: null },
    arise: async () => {
      const address = await stage.subscribed();
      await stage.losesAnswers('agreement.suspend');
      void stage.subscriptions.post(`${address}/suspend`, {}).catch(() => undefined);
      return address;
    },
  },
];

describe('an unknown outcome is shown to its caller, and its review begins on time even if no lookup is due', () => {
  /** They last for twenty seconds each: all at once. */
  const seen = new Map<string, Promise<void>>();
  beforeAll(async () => {
    await stage.tellsNothing();
    for (const { what, expected, arise } of doubts) {
      const address = await arise();
      const isSeen = isVisibleAndReviewedOnTime(address, expected);
      // Told by its own test.
      isSeen.catch(() => undefined);
      seen.set(what, isSeen);
    }
  });
  afterAll(async () => {
    await Promise.allSettled(seen.values());
    await stage.engine.sandbox.clearFaults();
  });

  it.each(doubts)('of $what', async ({ what }) => {
    await seen.get(what);
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
