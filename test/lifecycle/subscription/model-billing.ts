import {
  type AgreementFacts,
  type BalanceBilling,
  type SeenBalance,
  type SubscriptionEvent,
  type SubscriptionState,
  billingShown,
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
  remember({ openStep }: SubscriptionState, { minor }: BalanceBilling): boolean {
    const step = openStep?.number ?? 0;
    if (this.before?.step === step) return true;
    const facts = this.read()?.facts;
    const payments = this.read()?.payments;
    if (!facts || !payments || isCut(facts, payments)) return false;
    const { outstandingMinor, cyclesCompleted } = facts.billing;
    const saleIds = salesOf(payments, minor).map(({ id }) => id);
    this.before = { step, seen: { outstandingMinor, cyclesCompleted, since: 0, saleIds } };
    return true;
  }

  /** As readBalanceAfter does: the payments first. Lists and agreements lag independently of each other. */
  look(
    state: SubscriptionState,
    { minor }: BalanceBilling,
    word: string,
  ): SubscriptionEvent | 'absent' | 'unreadable' {
    const payments = this.read(word)?.payments;
    const facts = this.read()?.facts;
    if (!facts || !payments) return 'unreadable';
    const shown = { facts, sales: salesOf(payments, minor), isCut: isCut(facts, payments) };
    return billingShown(state, this.before?.seen, shown);
  }

  /** What is told of a billing is what the provider has done. */
  check({ openStep }: SubscriptionState, { type }: SubscriptionEvent): void {
    if (openStep?.step.type !== 'billBalance' || this.isOnWord) return;
    const isBilled = this.provider.billed.has(openStep.step.commandId);
    if (type === 'balanceBilled' && !isBilled) throw new Error('told as billed, and it was not');
    const isUndone = type === 'stepProvedUndone' || type === 'stepDeclined';
    if (isUndone && isBilled) throw new Error('told as undone, and it was billed');
  }
}

function salesOf(payments: readonly Payment[], billedMinor: number) {
  return payments
    .filter(({ minor, status }) => minor === billedMinor && status !== 'failed')
    .map(({ at }) => ({ id: String(at), hasFailed: false }));
}

function isCut({ billing: { lastPaymentAt } }: AgreementFacts, payments: readonly Payment[]): boolean {
  return lastPaymentAt !== undefined && !payments.some(({ at }) => at >= lastPaymentAt);
}
