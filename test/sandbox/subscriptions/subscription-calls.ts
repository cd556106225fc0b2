import { type Answer, eventually, type SandboxFixture } from '../sandbox-fixture.js';

export const PLANS = '/v1/payments/billing-plans';
export const AGREEMENTS = '/v1/payments/billing-agreements';

type Fields = Record<string, unknown>;

/** A start just ahead of the call that says it. */
export const SOON = { start_date: 'soon' };
const SOON_MS = 1_000;

export function regular(changes: Fields = {}): Fields {
  return {
    name: 'Regular',
    type: 'REGULAR',
    frequency: 'MONTH',
    frequency_interval: '1',
    amount: { value: '10.00', currency: 'USD' },
    cycles: '12',
    ...changes,
  };
}

/** With cycles that are over in no time where a day takes none. */
export function daily(cycles: string, changes: Fields = {}): Fields {
  return regular({ frequency: 'DAY', frequency_interval: '10', cycles, ...changes });
}

export function trial(changes: Fields = {}): Fields {
  return regular({
    name: 'Trial',
    type: 'TRIAL',
    amount: { value: '1.00', currency: 'USD' },
    cycles: '2',
    ...changes,
  });
}

/** A valid plan in the letters of the specification (section 2.5), with what a test changes in it. */
export function planBody(changes: Fields = {}, preferences: Fields = {}): Fields {
  return {
    name: 'Magazine',
    description: 'A magazine every month',
    type: 'fixed',
    payment_definitions: [regular()],
    merchant_preferences: {
      return_url: 'http://127.0.0.1:9/return?order=7',
      cancel_url: 'http://127.0.0.1:9/cancel',
      ...preferences,
    },
    ...changes,
  };
}

/** The calls of subscriptions that tests make to one payments service. */
export class Subscriptions {
  constructor(private readonly sandbox: SandboxFixture) {}

  async createPlan(body: Fields = planBody()): Promise<Answer> {
    return this.sandbox.call('POST', PLANS, body);
  }

  patchPlan(planId: string, path: string, value: unknown): Promise<Answer> {
    return this.sandbox.call('PATCH', `${PLANS}/${planId}`, [{ op: 'replace', path, value }]);
  }

  async activePlan(body: Fields = planBody()): Promise<string> {
    const created = await this.createPlan(body);
    if (created.status !== 201) throw new Error(`Plan refused: ${JSON.stringify(created.body)}`);
    await this.patchPlan(created.body.id, '/', { state: 'ACTIVE' });
    return created.body.id;
  }

  createAgreement(planId: string, changes: Fields = {}): Promise<Answer> {
    return this.sandbox.call('POST', AGREEMENTS, {
      name: 'Subscription',
      description: 'The magazine',
      // No slow test sees its first cycle.
      start_date: inFuture(3_600_000),
      plan: { id: planId },
      payer: { payment_method: 'paypal' },
      ...changes,
      ...(changes['start_date'] === SOON.start_date && { start_date: inFuture(SOON_MS) }),
    });
  }

  /** The token of an agreement that its payer has approved. */
  async approved(planId: string, changes: Fields = {}): Promise<string> {
    const created = await this.createAgreement(planId, changes);
    if (created.status !== 201) throw new Error(`Agreement refused: ${JSON.stringify(created.body)}`);
    const token = tokenOf(created);
    await this.approve(token);
    return token;
  }

  approve(token: string, body?: Fields): Promise<Answer> {
    return this.sandbox.request('POST', `/admin/billing-agreements/${token}/approve`, body);
  }

  execute(token: string): Promise<Answer> {
    return this.sandbox.call('POST', `${AGREEMENTS}/${token}/agreement-execute`, {});
  }

  /** The id of an executed agreement on a plan of its own. */
  async agreement(plan: Fields = planBody(), changes: Fields = {}): Promise<string> {
    const executed = await this.execute(await this.approved(await this.activePlan(plan), changes));
    if (executed.status !== 200) throw new Error(`Execution refused: ${JSON.stringify(executed.body)}`);
    return executed.body.id;
  }

  async get(agreementId: string): Promise<Answer['body']> {
    return (await this.sandbox.call('GET', `${AGREEMENTS}/${agreementId}`)).body;
  }

  /** Waits until it stands so. */
  async become(agreementId: string, state: string): Promise<void> {
    await eventually(async () => (await this.get(agreementId)).state).toBe(state);
  }

  async details(agreementId: string): Promise<Answer['body']> {
    return (await this.get(agreementId)).agreement_details;
  }

  post(agreementId: string, action: string, body: unknown = { note: 'because' }): Promise<Answer> {
    return this.sandbox.call('POST', `${AGREEMENTS}/${agreementId}/${action}`, body);
  }

  /** `Completed 10.00`, `Failed 10.00`, `Created`, … in their order. */
  async transactions(agreementId: string): Promise<string[]> {
    const range = 'start_date=2020-01-01&end_date=2100-01-01';
    const answer = await this.sandbox.call('GET', `${AGREEMENTS}/${agreementId}/transactions?${range}`);
    return answer.body.agreement_transaction_list.map((one: Answer['body']) =>
      one.amount === undefined ? one.status : `${one.status} ${one.amount.value}`,
    );
  }

  /** Minor units of the sales that the books hold for an agreement, in the order of booking. */
  async booked(agreementId: string): Promise<number[]> {
    const answer = await this.sandbox.request('GET', `/admin/books/movements?agreement=${agreementId}`);
    return answer.body.movements.map(({ amountMinor }: { amountMinor: number }) => amountMinor);
  }

  /**
   * Names of the events of an agreement and of its sales, as they were recorded: `cmin` counts the statements of a
   * transaction, whose events all have one time.
   */
  async events(agreementId: string): Promise<string[]> {
    const rows = await this.sandbox.sql(
      `SELECT event_type FROM events WHERE resource_id = '${agreementId}'
        OR resource ->> 'billing_agreement_id' = '${agreementId}'
        ORDER BY created_at, cmin::text::bigint`,
    );
    return rows.map((row) => String(row['event_type']).replace('BILLING.SUBSCRIPTION.', ''));
  }
}

export function inFuture(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

export function tokenOf(created: Answer): string {
  const approval = created.body.links.find((link: { rel: string }) => link.rel === 'approval_url');
  return new URL(approval.href).searchParams.get('token') ?? '';
}
