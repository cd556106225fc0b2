import { setTimeout as wait } from 'node:timers/promises';
import { listPayoutItems } from '#database/subjects';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import { advance } from '#workflows/lifecycle';
import { payoutLifecycle } from '#workflows/lifecycle/payout';
import type { PayoutEffect, PayoutEvent } from '#workflows/lifecycle/payout/payout.js';
import { type Hired, PayoutStage, retire } from '../faults/payout-stage.js';
import { outcomeOf } from '../helpers/outcome-of.js';

/** Reads lag for a moment, polls are soon due, and a step is soon given up. */
const patience = {
  outcomeHorizonMs: 100,
  firstPollMs: 50,
  firstLookMs: 20,
  firstRetryMs: 20,
  maxAttempts: 2,
};

/** Carries a payout on as its run would, with one worker. */
export class LivePayout {
  private constructor(
    readonly stage: PayoutStage,
    readonly worker: Hired,
  ) {}

  /** At a provider that pays at once. */
  static async open(): Promise<LivePayout> {
    const stage = await PayoutStage.open();
    await stage.sandbox.configure({ payoutPendingMs: 0, payoutProcessingMs: 0 });
    return new LivePayout(stage, stage.hire());
  }

  async close(): Promise<void> {
    await retire(this.worker);
    await this.stage.close();
  }

  /** Created at the provider, and read until nothing is due any more, or a time is over. */
  async ordered(...receivers: string[]): Promise<PayoutStepInput> {
    const ordered = await this.stage.orderedWith(patience, ...receivers);
    return await this.follow(ordered, { type: 'perform', step: { type: 'createPayout' } });
  }

  /** Takes a message or a deadline, and carries out all to which it leads. */
  async take(payout: PayoutStepInput, event: PayoutEvent): Promise<PayoutStepInput> {
    const { position, effect } = advance(payoutLifecycle, payout, event, Date.now());
    return await this.follow({ ...payout, ...position }, effect);
  }

  /** Takes the deadlines as they come, until nothing is due any more or it is as is asked for. */
  async liveOn(
    from: PayoutStepInput,
    isThere: (payout: PayoutStepInput) => boolean = () => false,
  ): Promise<PayoutStepInput> {
    let payout = from;
    for (let taken = 0; taken < 100; taken += 1) {
      const due = payoutLifecycle.nextDeadline(payout.state);
      if (!due || isThere(payout)) return payout;
      await wait(Math.max(0, due.at - Date.now()));
      payout = await this.take(payout, due.event);
    }
    throw new Error(`is ${payout.state.status} for ever: ${JSON.stringify(payout.state)}`);
  }

  async itemsOf({ identity: { payoutId } }: PayoutStepInput) {
    return await listPayoutItems(this.stage.db, payoutId);
  }

  async statusesOf(payout: PayoutStepInput): Promise<string[]> {
    return (await this.itemsOf(payout)).map(({ status }) => status);
  }

  private async follow(from: PayoutStepInput, first: PayoutEffect | undefined): Promise<PayoutStepInput> {
    let payout = from;
    for (let effect = first; effect;) {
      const { event, at } = await outcomeOf(this.carryOut(payout, effect));
      const next = advance(payoutLifecycle, payout, event, at);
      payout = { ...payout, ...next.position, timeline: [] };
      ({ effect } = next);
    }
    return payout;
  }

  private async carryOut(input: PayoutStepInput, effect: PayoutEffect): Promise<PayoutStepOutcome> {
    const { activities } = this.worker;
    switch (effect.type) {
      case 'observe':
        return await activities.observePayout(input, effect.items);
      case 'lookUp':
        return await activities.lookUpCancellation(input, effect.hint);
      case 'perform':
        return await activities[effect.step.type](input);
      case 'verifyDecision':
        return await activities.verifyPayoutDecision(input, effect.decided);
    }
  }
}
