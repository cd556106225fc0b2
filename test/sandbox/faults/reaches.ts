import { honoured, reauthorize } from '../authorizations/reauthorizing.js';
import { FAST, itemFor, Payouts } from '../payouts/payout-helpers.js';
import { planBody, regular, SOON, Subscriptions } from '../subscriptions/subscription-calls.js';
import { eventually, SandboxFixture, type Answer } from '../sandbox-fixture.js';

export interface Reach {
  /** What there must be first; answers the act that a fault may strike and what is seen of it. */
  prepare: () => Promise<() => Promise<string>>;
  ordinary: string;
  decline?: string;
  pending?: string;
}

interface Reached {
  readonly sandbox: SandboxFixture;
  readonly subscriptions: Subscriptions;
  readonly payouts: Payouts;
}

const one = { amount: { total: '1.00', currency: 'USD' } };
const withFee = () => planBody({}, { setup_fee: { value: '5.00', currency: 'USD' } });

/** Every operation whose outcome a fault can decide, and what each fault makes of it. */
export function reachesOf({ sandbox, subscriptions, payouts }: Reached): Readonly<Record<string, Reach>> {
  return {
    'payment.create': {
      prepare: async () => async () => authorizationOf(await immediately(sandbox)),
      ordinary: 'authorized',
      decline: 'INSTRUMENT_DECLINED',
      pending: 'pending',
    },
    'payment.execute': {
      prepare: async () => {
        const { id } = (await sandbox.createPayment()).body;
        await sandbox.approve(id);
        return async () => authorizationOf(await sandbox.execute(id));
      },
      ordinary: 'authorized',
      decline: 'INSTRUMENT_DECLINED',
      pending: 'pending',
    },
    'authorization.capture': {
      prepare: async () => {
        const { authorizationId } = await sandbox.authorized();
        return async () => nameOrState(await sandbox.capture(authorizationId, '1.00'));
      },
      ordinary: 'completed',
      decline: 'INSTRUMENT_DECLINED',
      pending: 'pending',
    },
    'authorization.reauthorize': {
      prepare: async () => {
        const { authorizationId } = await honoured(sandbox);
        return async () => nameOrState(await reauthorize(sandbox, authorizationId));
      },
      ordinary: 'authorized',
      decline: 'INSTRUMENT_DECLINED',
    },
    'capture.refund': {
      prepare: async () => {
        const { authorizationId } = await sandbox.authorized();
        const { id } = (await sandbox.capture(authorizationId, '1.00')).body;
        return async () => nameOrState(await sandbox.call('POST', `/v1/payments/capture/${id}/refund`, one));
      },
      ordinary: 'completed',
      decline: 'TRANSACTION_REFUSED',
      pending: 'pending',
    },
    'sale.refund': {
      prepare: async () => {
        const { id } = (await sandbox.createPayment({ intent: 'sale' })).body;
        await sandbox.approve(id);
        const { sale } = (await sandbox.execute(id)).body.transactions[0].related_resources[0];
        return async () =>
          nameOrState(await sandbox.call('POST', `/v1/payments/sale/${sale.id}/refund`, one));
      },
      ordinary: 'completed',
      decline: 'TRANSACTION_REFUSED',
      pending: 'pending',
    },
    'agreement.execute': {
      prepare: async () => {
        const token = await subscriptions.approved(await subscriptions.activePlan());
        return async () => nameOrState(await subscriptions.execute(token));
      },
      ordinary: 'Active',
      decline: 'INSTRUMENT_DECLINED',
      pending: 'Pending',
    },
    'agreement.bill-balance': {
      prepare: async () => {
        await sandbox.switchOnFault({ operation: 'agreement.execute', kind: 'decline' });
        const id = await subscriptions.agreement(withFee());
        return async () => {
          await subscriptions.post(id, 'bill-balance', { amount: { value: '2.00', currency: 'USD' } });
          return (await subscriptions.transactions(id)).at(-1)!;
        };
      },
      ordinary: 'Completed 2.00',
      decline: 'Failed 5.00',
      pending: 'Pending 2.00',
    },
    'agreement.cycle': {
      prepare: async () => async () => {
        const id = await subscriptions.agreement(planBody({ payment_definitions: [regular()] }), SOON);
        await eventually(async () => (await subscriptions.transactions(id)).length).toBe(2);
        return (await subscriptions.transactions(id)).at(-1)!;
      },
      ordinary: 'Completed 10.00',
      decline: 'Failed 10.00',
      pending: 'Pending 10.00',
    },
    'payout.create': {
      prepare: async () => async () => {
        const { body } = await payouts.create([itemFor('one@example.com')]);
        const { payout_batch_id: id } = body.batch_header;
        const rows = await sandbox.sql(`SELECT outcome FROM payout_batches WHERE id = '${id}'`);
        return String(rows[0]!['outcome']);
      },
      ordinary: 'success',
      decline: 'unfunded',
      pending: 'denied',
    },
    'payout-item.pay': {
      prepare: async () => async () =>
        (await payouts.finished([itemFor('one@example.com')])).items[0].transaction_status,
      ordinary: 'SUCCESS',
      decline: 'FAILED',
      pending: 'PENDING',
    },
  };
}

export async function immediately(sandbox: SandboxFixture): Promise<Answer> {
  await sandbox.configure({ ...FAST, approval: 'immediate' });
  const created = await sandbox.createPayment();
  await sandbox.configure({ ...FAST });
  return created;
}

export const nameOrState = ({ body }: Answer): string => body.state ?? body.name;
export const authorizationOf = ({ body }: Answer): string =>
  body.name ?? body.transactions[0].related_resources[0].authorization.state;
