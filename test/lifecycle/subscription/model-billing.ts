import {
  type AgreementFacts,
  type BalanceBilling,
  type BalanceSetting,
  type SeenBalance,
  type SubscriptionEvent,
  type SubscriptionState,
  billingShown,
  settingShown,
} from '#workflows/lifecycle/subscription';
import type { ModelProvider, Payment } from './model-provider.js';

type Shown = ReturnType<ModelProvider['read']>;

/** The activities that bill a balance, and what they are held to. */
export class ModelBilling {
  /** An operator has decided about the step what could not be read. */
  isOnWord = false;
  /** What was seen before the step with that number. */
  private before: { readonly step: number; readonly seen: SeenBalance } | undefined;

  /** @param read reads as the word says; without one, as the next read goes. */
  constructor(
    private readonly provider: ModelProvider,
    private readonly read: (word?: string) => Shown,
  ) {}

  /** As readBalanceBefore does: the agreement first. @returns false if it cannot be read. */
  remember({ openStep }: SubscriptionState, { minor }: BalanceBilling | BalanceSetting): boolean {
    const step = openStep?.number ?? 0;
    if (this.before?.step === step) return true;
    const facts = this.read()?.facts;
    const payments = this.read()?.payments;
    if (!facts || !payments || isCut(facts, payments)) return false;
    const { outstandingMinor, cyclesCompleted, updatedAt = 0 } = facts.billing;
    const saleIds = salesOf(payments, minor).map(({ id }) => id);
    this.before = { step, seen: { outstandingMinor, cyclesCompleted, updatedAt, since: 0, saleIds } };
    return true;
  }

  /** As setBalance asks before it sends. */
  isLowered({ minor }: BalanceSetting): boolean {
    return minor < (this.before?.seen.outstandingMinor ?? 0);
  }

  /** As readBalanceAfter does: the payments first. Lists and agreements lag independently of each other. */
  look(
    state: SubscriptionState,
    step: BalanceBilling | BalanceSetting,
    word: string,
  ): SubscriptionEvent | 'absent' | 'unreadable' {
    const seen = this.before?.seen;
    const payments = this.read(word)?.payments;
    const facts = this.read()?.facts;
    if (!facts || !payments) return 'unreadable';
    const { minor } = step;
    if (step.type === 'setBalance') return settingShown(state, { minor, ...(seen && { seen }) }, facts);
    const shown = { facts, sales: salesOf(payments, minor), isCut: isCut(facts, payments) };
    return billingShown(state, seen, shown);
  }

  /** What is told of a billing is what the provider has done. */
  check({ openStep }: SubscriptionState, { type }: SubscriptionEvent): void {
    const step = openStep?.step;
    if (!step || !('minor' in step) || this.isOnWord) return;
    const isBilled = this.provider.billed.has(step.commandId);
    if ((type === 'balanceBilled' || type === 'balanceSet') && !isBilled)
      throw new Error('told as billed, and it was not');
    const isUndone = type === 'stepProvedUndone' || type === 'stepDeclined';
    if (isUndone && isBilled) throw new Error('told as undone, and it was billed');
  }
}

function salesOf(payments: readonly Payment[], billedMinor: number) {
  return payments
    .filter(({ minor, status }) => minor === billedMinor && status !== 'failed')
    .map(({ at }) => ({ id: String(at), at, hasFailed: false }));
}

function isCut({ billing: { lastPaymentAt } }: AgreementFacts, payments: readonly Payment[]): boolean {
  return lastPaymentAt !== undefined && !payments.some(({ at }) => at >= lastPaymentAt);
}
