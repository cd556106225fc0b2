import type { Agreement, CreatePlanRequest, Plan, Sale } from '#payments-client';
import type { World } from '../core/world.js';
import {
  type BookedAgreement,
  type SetupFee,
  type ShownAgreement,
  type Price,
  billCycle,
  collectBalance,
  collectFee,
  dayMs,
  feeOf,
  newAgreement,
  shownAs,
} from './booked-agreement.js';
import { Refused } from './exchange.js';
import { Snapshots } from './snapshots.js';

export interface BillingEvent {
  readonly kind: 'agreement' | 'sale';
  readonly id: string;
  readonly state: string;
}

interface Pending {
  readonly returnUrl: string;
  readonly fee: SetupFee | undefined;
  isApproved: boolean;
  agreement?: BookedAgreement;
}

/** The provider's books of plans and agreements: cycles of a day each, of which some are not paid. */
export class AgreementBooks {
  readonly plans = new Snapshots<Plan>();
  readonly pending = new Map<string, Pending>();
  readonly agreements = new Map<string, BookedAgreement>();
  readonly shown = new Snapshots<ShownAgreement>();
  onEvent: (event: BillingEvent) => void = () => undefined;

  constructor(private readonly world: World) {}

  createPlan({ name, merchantPreferences }: Pick<CreatePlanRequest, 'name' | 'merchantPreferences'>): Plan {
    const id = this.world.nextId('P-');
    return this.keepPlan({
      ...blankPlan,
      id,
      name,
      merchantPreferences: { ...blankPreferences, ...merchantPreferences },
    });
  }

  changePlan(id: string, state: string | undefined): void {
    const plan = this.plans.at(id, this.world.clock.now);
    if (!plan) throw new Refused('RESOURCE_NOT_FOUND');
    if (plan.state !== state) this.keepPlan({ ...plan, state });
  }

  prepare(planId: string, returnUrl: string): { readonly token: string; readonly approvalUrl: string } {
    const token = this.world.nextId('EC-');
    const fee = feeOf(this.plans.at(planId, this.world.clock.now));
    this.pending.set(token, { returnUrl, fee, isApproved: false });
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
    pending.agreement ??= this.begin(pending);
    return shownAs(pending.agreement);
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

  billBalance(id: string, amount: Price, requestId: string): void {
    const { clock, draws } = this.world;
    const agreement = this.agreements.get(id);
    if (!agreement) throw new Refused('RESOURCE_NOT_FOUND');
    const { state, outstanding } = agreement;
    if (state === 'Pending' || state === 'Cancelled') throw new Refused('UNPROCESSABLE_ENTITY');
    if (Number(amount.value) > outstanding) throw new Refused('RP_CANT_INCREASE_OUTSTANDING_AMOUNT');
    if (draws.chance('balance declined', 0.15)) throw new Refused('INSTRUMENT_DECLINED');
    const saleId = this.world.nextId('SALE-');
    collectBalance(agreement, clock.now, amount, { saleId, requestId });
    this.keep(agreement, `${amount.value} of the balance of ${id} is collected`);
    this.onEvent({ kind: 'sale', id: saleId, state: 'completed' });
  }

  /** It can only be lowered. */
  setBalance(id: string, { value }: Price, requestId: string): void {
    const agreement = this.agreements.get(id);
    if (!agreement) throw new Refused('RESOURCE_NOT_FOUND');
    const { state, outstanding, balances } = agreement;
    if (state === 'Pending' || state === 'Cancelled') throw new Refused('UNPROCESSABLE_ENTITY');
    if (Number(value) > outstanding) throw new Refused('RP_CANT_INCREASE_OUTSTANDING_AMOUNT');
    agreement.outstanding = Number(value);
    balances.set(requestId, [...(balances.get(requestId) ?? []), `forgiven to ${value}`]);
    this.keep(agreement, `the balance of ${id} is set to ${value}`);
    this.onEvent({ kind: 'agreement', id, state: state });
  }

  /** How a balance was changed under a request id: by which sales, or by which remission. */
  balancesUnder(requestId: string): readonly string[] {
    return [...this.agreements.values()].flatMap(({ balances }) => balances.get(requestId) ?? []);
  }

  saleAt(saleId: string): Sale | undefined {
    return [...this.agreements.values()].flatMap(({ sales }) => sales).find(({ id }) => id === saleId);
  }

  private begin(pending: Pending): BookedAgreement {
    const { clock, draws } = this.world;
    const agreement = newAgreement(this.world.nextId('I-'), clock.now, pending);
    this.agreements.set(agreement.id, agreement);
    const isSoon = this.world.coincidence === 'deaths around an execution';
    agreement.nextAt += draws.spread('first cycle', 1_000, isSoon ? 20_000 : dayMs);
    if (draws.chance('agreement pending', pending.fee ? 0.3 : 0.05)) {
      this.keep(agreement, `agreement ${agreement.id} is pending`);
      this.onEvent({ kind: 'agreement', id: agreement.id, state: 'Pending' });
      clock.after(draws.spread('agreement settles', 100, dayMs / 2), () => this.activate(agreement));
    } else this.activate(agreement);
    return agreement;
  }

  /** Collects the setup fee: what becomes of it says whether the agreement comes into being. */
  private activate(agreement: BookedAgreement): void {
    const { clock, draws } = this.world;
    const { id, fee } = agreement;
    const saleId = fee && !draws.chance('fee declined', 0.3) ? this.world.nextId('SALE-') : undefined;
    if (fee) collectFee(agreement, clock.now, fee, saleId);
    else agreement.state = 'Active';
    if (agreement.state === 'Active') this.billAt(agreement, Math.max(agreement.nextAt, clock.now));
    if (draws.chance('payer cancels', 0.1))
      clock.after(draws.spread('payer cancels after', 10, 2 * dayMs), () => this.endByPayer(agreement));
    const words = fee ? `, its setup fee is ${saleId === undefined ? 'declined' : 'paid'}` : '';
    this.keep(agreement, `agreement ${id} is ${agreement.state}${words}`);
    if (saleId !== undefined) this.onEvent({ kind: 'sale', id: saleId, state: 'completed' });
    this.onEvent({ kind: 'agreement', id, state: agreement.state });
  }

  /** On the provider's own pages. */
  private endByPayer({ id, state }: BookedAgreement): void {
    if (state === 'Active' || state === 'Suspended') this.change(id, 'Cancelled', [state], '');
  }

  private billAt(agreement: BookedAgreement, at: number): void {
    agreement.nextAt = at;
    this.world.clock.at(at, () => {
      if (agreement.state === 'Active' && agreement.nextAt === at) this.bill(agreement);
    });
  }

  private bill(agreement: BookedAgreement): void {
    const { clock, coincidence, draws } = this.world;
    const isPaid = !draws.chance('cycle fails', coincidence === 'deaths around a balance' ? 0.6 : 0.15);
    const saleId = this.world.nextId('SALE-');
    billCycle(agreement, clock.now, isPaid ? saleId : undefined);
    const isLast = agreement.state === 'Expired';
    if (!isLast) this.billAt(agreement, clock.now + dayMs);
    this.keep(agreement, `a cycle of ${agreement.id} is ${isPaid ? 'paid' : 'not paid'}`);
    if (isPaid) this.onEvent({ kind: 'sale', id: saleId, state: 'completed' });
    if (isLast) this.onEvent({ kind: 'agreement', id: agreement.id, state: 'Expired' });
  }

  private keep(agreement: BookedAgreement, words: string): void {
    const { clock } = this.world;
    this.world.tell(() => `provider: ${words}`);
    const shown = shownAs(agreement, clock.now);
    this.shown.keep(agreement.id, clock.now, { agreement: shown, transactions: [...agreement.transactions] });
  }

  private keepPlan(plan: Omit<Plan, 'createTime' | 'updateTime'>): Plan {
    const now = new Date(this.world.clock.now).toISOString();
    this.world.tell(() => `provider: plan ${plan.id} is ${String(plan.state)}`);
    const kept: Plan = { ...plan, createTime: now, updateTime: now };
    this.plans.keep(plan.id, this.world.clock.now, kept);
    return kept;
  }
}

const blankPlan = {
  state: 'CREATED',
  description: undefined,
  type: undefined,
  paymentDefinitions: [],
} as const;
const blankPreferences = {
  setupFee: undefined,
  cancelUrl: undefined,
  autoBillAmount: undefined,
  initialAmountFailAction: undefined,
  maxFailAttempts: undefined,
} as const;
