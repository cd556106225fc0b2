import { eventually, type Answer, type SandboxFixture } from '../sandbox-fixture.js';

export const PATH = '/v1/payments/payouts';

/** An item as a client sends it, with what a test changes in it. */
export function itemFor(receiver: string, more: object = {}): object {
  return { recipient_type: 'EMAIL', amount: { value: '10.00', currency: 'USD' }, receiver, ...more };
}

export function batchOf(items: object[], header: object = {}): object {
  return { sender_batch_header: { email_subject: 'You have a payment', ...header }, items };
}

/** Short enough for tests, long enough to be seen. */
export const FAST = { payoutPendingMs: 0, payoutProcessingMs: 0, payoutSettleMs: 0 };

/** Calls and looks about payouts of one service. */
export class Payouts {
  constructor(private readonly sandbox: SandboxFixture) {}

  create(items: object[], header: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.sandbox.call('POST', PATH, batchOf(items, header), headers);
  }

  async get(batchId: string, query = ''): Promise<Answer['body']> {
    return (await this.sandbox.call('GET', `${PATH}/${batchId}${query}`)).body;
  }

  async item(itemId: string): Promise<Answer['body']> {
    return (await this.sandbox.call('GET', `${PATH}-item/${itemId}`)).body;
  }

  cancel(itemId: string): Promise<Answer> {
    return this.sandbox.call('POST', `${PATH}-item/${itemId}/cancel`, {});
  }

  act(itemId: string, action: string): Promise<Answer> {
    return this.sandbox.request('POST', `/admin/payouts-item/${itemId}/${action}`);
  }

  /** Creates a batch and waits for its end. */
  async finished(items: object[], header: object = {}): Promise<Answer['body']> {
    const { body } = await this.create(items, header);
    const batchId: string = body.batch_header.payout_batch_id;
    await this.reaches(batchId, ['SUCCESS', 'DENIED', 'CANCELED']);
    return this.get(batchId);
  }

  async reaches(batchId: string, statuses: string[]): Promise<void> {
    await eventually(async () => (await this.get(batchId)).batch_header.batch_status).toBeOneOf(statuses);
  }

  async itemReaches(itemId: string, status: string): Promise<void> {
    await eventually(async () => (await this.item(itemId)).transaction_status).toBe(status);
  }

  /** `payout 1000`, `payout_return 1000`, … of an item, in the order of booking. */
  async booksOf(itemId: string): Promise<string[]> {
    const rows = await this.sandbox.sql(
      `SELECT kind, amount_minor FROM book_entries WHERE payout_item_id = '${itemId}' ORDER BY id`,
    );
    return rows.map(({ kind, amount_minor }) => `${String(kind)} ${String(amount_minor)}`);
  }

  /** Names of the events of a resource, in the order in which they were told. */
  async eventsOf(resourceId: string): Promise<string[]> {
    const rows = await this.sandbox.sql(
      `SELECT event_type FROM events WHERE resource_id = '${resourceId}' ORDER BY created_at, id`,
    );
    return rows.map(({ event_type }) => String(event_type));
  }
}
