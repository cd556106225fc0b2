import type { Agreement, AgreementTransaction, Plan, Sale } from '#payments-client';
import type { World } from '../core/world.js';
import { Refused } from './exchange.js';
import { Snapshots } from './snapshots.js';

const dayMs = 86_400_000;
const cycles = 3;
export const cyclePrice = { value: '9.00', currency: 'USD' } as const;

export interface BookedAgreement {
  readonly id: string;
  readonly returnUrl: string;
  state: string;
  cyclesCompleted: number;
  failures: number;
  nextAt: number;
  readonly createdAt: number;
  readonly sales: Sale[];
  readonly transactions: AgreementTransaction[];
}

export interface ShownAgreement {
  readonly agreement: Agreement;
  readonly transactions: readonly AgreementTransaction[];
}

interface Pending {
  readonly returnUrl: string;
  isApproved: boolean;
  agreement?: BookedAgreement;
}

export interface BillingEvent {
  readonly kind: 'agreement' | 'sale';
  readonly id: string;
  readonly state: string;
}

/** The provider's books of plans and agreements: cycles of a day each, of which some are not paid. */
export class AgreementBooks {
  readonly plans = new Snapshots<Plan>();
  readonly planIds: string[] = [];
  readonly pending = new Map<string, Pending>();
  readonly agreements = new Map<string, BookedAgreement>();
  readonly shown = new Snapshots<ShownAgreement>();
  onEvent: (event: BillingEvent) => void = () => undefined;

  constructor(private readonly world: World) {}

  createPlan(name: string, returnUrl: string): Plan {
    const id = this.world.nextId('P-');
    this.planIds.push(id);
    return this.keepPlan(id, { name, returnUrl, state: 'CREATED' });
  }

  activatePlan(id: string): void {
    const plan = this.plans.at(id, this.world.clock.now);
    if (!plan) throw new Refused('RESOURCE_NOT_FOUND');
    this.keepPlan(id, {
      name: plan.name ?? '',
      returnUrl: plan.merchantPreferences?.returnUrl ?? '',
      state: 'ACTIVE',
    });
  }

  prepare(returnUrl: string): { readonly token: string; readonly approvalUrl: string } {
    const token = this.world.nextId('EC-');
    this.pending.set(token, { returnUrl, isApproved: false });
    this.world.tell(() => `provider: agreement ${token} waits for its payer`);
    return { token, approvalUrl: `https://provider.example/approve?token=${token}` };
  }

  approve(token: string): void {
    const pending = this.pending.get(token);
    if (pending) pending.isApproved = true;
    this.world.tell(() => `provider: the payer approves ${token}`);
  }

  /** A token stands for one agreement. */
  execute(token: string): Agreement {
    const pending = this.pending.get(token);
    if (!pending) throw new Refused('RESOURCE_NOT_FOUND');
    if (!pending.isApproved) throw new Refused('PAYMENT_NOT_APPROVED_FOR_EXECUTION');
    pending.agreement ??= this.begin(pending.returnUrl);
    return agreementOf(pending.agreement);
  }

  /** @param from states in which it can be asked for. */
  change(id: string, to: string, from: readonly string[], code: string): void {
    const agreement = this.agreements.get(id);
    if (!agreement) throw new Refused('RESOURCE_NOT_FOUND');
    if (!from.includes(agreement.state)) throw new Refused(code);
    agreement.state = to;
    if (to === 'Active') this.billAt(agreement, Math.max(agreement.nextAt, this.world.clock.now + 60_000));
    this.keep(agreement, `agreement ${id} is ${to}`);
    this.onEvent({ kind: 'agreement', id, state: to });
  }

  saleAt(saleId: string): Sale | undefined {
    return [...this.agreements.values()].flatMap(({ sales }) => sales).find(({ id }) => id === saleId);
  }

  private begin(returnUrl: string): BookedAgreement {
    const { clock } = this.world;
    const agreement: BookedAgreement = {
      id: this.world.nextId('I-'),
      returnUrl,
      state: 'Active',
      cyclesCompleted: 0,
      failures: 0,
      nextAt: clock.now,
      createdAt: clock.now,
      sales: [],
      transactions: [],
    };
    this.agreements.set(agreement.id, agreement);
    this.billAt(agreement, clock.now + this.world.draws.spread('first cycle', 1_000, dayMs));
    this.keep(agreement, `agreement ${agreement.id} begins`);
    this.onEvent({ kind: 'agreement', id: agreement.id, state: 'Active' });
    return agreement;
  }

  private billAt(agreement: BookedAgreement, at: number): void {
    agreement.nextAt = at;
    this.world.clock.at(at, () => {
      if (agreement.state === 'Active' && agreement.nextAt === at) this.bill(agreement);
    });
  }

  private bill(agreement: BookedAgreement): void {
    const { clock, draws } = this.world;
    const time = new Date(clock.now).toISOString();
    const isPaid = !draws.chance('cycle fails', 0.15);
    agreement.cyclesCompleted += 1;
    agreement.failures = isPaid ? 0 : agreement.failures + 1;
    const saleId = this.world.nextId('SALE-');
    const id = isPaid ? saleId : agreement.id;
    agreement.transactions.push({ id, status: isPaid ? 'Completed' : 'Failed', amount: cyclePrice, time });
    if (isPaid) agreement.sales.push(saleOf(saleId, agreement.id, time));
    const isLast = agreement.cyclesCompleted >= cycles;
    if (isLast) agreement.state = 'Expired';
    else this.billAt(agreement, clock.now + dayMs);
    this.keep(agreement, `a cycle of ${agreement.id} is ${isPaid ? 'paid' : 'not paid'}`);
    if (isPaid) this.onEvent({ kind: 'sale', id: saleId, state: 'completed' });
    if (isLast) this.onEvent({ kind: 'agreement', id: agreement.id, state: 'Expired' });
  }

  private keep(agreement: BookedAgreement, words: string): void {
    const { clock } = this.world;
    this.world.tell(() => `provider: ${words}`);
    const shown = agreementOf(agreement, clock.now);
    this.shown.keep(agreement.id, clock.now, { agreement: shown, transactions: [...agreement.transactions] });
  }

  private keepPlan(id: string, plan: { name: string; returnUrl: string; state: string }): Plan {
    const now = new Date(this.world.clock.now).toISOString();
    this.world.tell(() => `provider: plan ${id} is ${plan.state}`);
    const shown = { ...blankPlan, id, name: plan.name, state: plan.state, createTime: now, updateTime: now };
    const kept: Plan = { ...shown, merchantPreferences: { ...blankPreferences, returnUrl: plan.returnUrl } };
    this.plans.keep(id, this.world.clock.now, kept);
    return kept;
  }
}

const blankPlan = { description: undefined, type: undefined, paymentDefinitions: [] } as const;
const blankPreferences = {
  setupFee: undefined,
  cancelUrl: undefined,
  autoBillAmount: undefined,
  initialAmountFailAction: undefined,
  maxFailAttempts: undefined,
} as const;

function agreementOf(booked: BookedAgreement, now = booked.createdAt): Agreement {
  const { id, state, returnUrl, cyclesCompleted, failures, nextAt, createdAt, sales, transactions } = booked;
  const unpaid = transactions.filter(({ status }) => status === 'Failed').length;
  const last = sales.at(-1);
  const isOpen = state === 'Active' || state === 'Suspended';
  return {
    id,
    state,
    name: undefined,
    description: undefined,
    payerId: 'PAYER1',
    returnUrl,
    startDate: new Date(createdAt).toISOString(),
    details: {
      outstandingBalance: { value: (unpaid * 9).toFixed(2), currency: cyclePrice.currency },
      cyclesRemaining: cycles - cyclesCompleted,
      cyclesCompleted,
      nextBillingDate: isOpen ? new Date(nextAt).toISOString() : undefined,
      lastPaymentDate: last?.createTime,
      lastPaymentAmount: last && cyclePrice,
      finalPaymentDate: new Date(createdAt + cycles * dayMs).toISOString(),
      failedPaymentCount: failures,
    },
    createTime: new Date(createdAt).toISOString(),
    updateTime: new Date(now).toISOString(),
  };
}

function saleOf(id: string, agreementId: string, time: string): Sale {
  return {
    id,
    state: 'completed',
    amount: cyclePrice,
    paymentId: undefined,
    agreementId,
    reasonCode: undefined,
    createTime: time,
    updateTime: time,
  };
}
