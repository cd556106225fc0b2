import { expect, it } from 'vitest';
import { World } from '#proof/simulator/core/world.js';
import type { RowsWatcher, SubjectRow } from '#proof/simulator/rows/row-types.js';
import { Rows } from '#proof/simulator/rows/rows.js';
import { watchDecisions } from '#proof/simulator/stage/decision-oracles.js';
import { watchWaitingRows } from '#proof/simulator/stage/waiting-oracle.js';
import { type CommandOutcome, paymentRecords } from '#database/transitions';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { payment, sale } from '../lifecycle/payment/sample-payments.js';

const subject = { environment: 'sandbox', application: 'shop', id: 'pay_1' } as const;
const pending = { ...sale, status: 'pending' } as const;
const reviewed: PaymentState = { ...payment('needs_review'), openStep: undefined, sale: pending } as never;
const kept: CommandOutcome = { commandId: 'cmd_1', kind: 'decide', status: 'succeeded', isUncalled: true };
const notShown = { oracle: 'told without effect', words: expect.stringContaining('cmd_1') };

/** The rows of a sale under review, of which a person has decided, and what is told of it. */
class Review {
  readonly world = new World(1, { isTold: false });
  private readonly rows = new Rows(() => this.world.clock.now);
  private readonly watchers: RowsWatcher[] = [];
  private version = 1;

  constructor() {
    this.rows.watcher = {
      subjectChanged: (...change) => this.watchers.forEach((each) => each.subjectChanged(...change)),
      commandChanged: (...change) => this.watchers.forEach((each) => each.commandChanged(...change)),
    };
    const { world, rows } = this;
    const row = (id: string) => rows.subjects.get(id) as SubjectRow & { state: never };
    const watch = (watcher: RowsWatcher) => void this.watchers.push(watcher);
    watchDecisions({ world, rows, watch, row });
    watchWaitingRows({ world, watch, row });
    rows.insert({ ...subject, kind: 'payment', status: 'needs_review', state: reviewed, version: 1 });
    rows.commands.accept({ id: 'cmd_1', kind: 'decide', subjectId: 'pay_1' });
  }

  write(task: number, change: Partial<PaymentState>, commands: readonly CommandOutcome[] = []): void {
    const state = { ...reviewed, ...change };
    const position = { state, version: (this.version += 1), timeline: [], taskStartedAt: task };
    this.rows.writeTransition({ records: paymentRecords, subject, ...position, commands });
  }

  async passes(ms: number): Promise<void> {
    await this.world.clock.run(this.world.clock.now + ms, 100);
  }
}

it('a decision beside a row that waits for what a lost task has shown is not told as succeeded yet', async () => {
  const review = new Review();
  review.write(1, { sale });
  review.write(2, { status: 'pending' }, [kept]);
  await review.passes(60_000);
  review.write(2, { status: 'completed', sale });
  await review.passes(7_200_000);
  expect(review.world.violations).toEqual([]);
});

it('a row that waits beside a decision for hours breaks a promise', async () => {
  const review = new Review();
  review.write(1, { sale });
  review.write(2, { status: 'pending' }, [kept]);
  await review.passes(7_200_000);
  expect(review.world.violations).toContainEqual(expect.objectContaining(notShown));
});

it('a decision that is recorded as succeeded of a payment that stays under review breaks a promise at once', () => {
  const review = new Review();
  review.write(1, {}, [kept]);
  expect(review.world.violations).toMatchObject([notShown]);
});
