import { collect, dollars, refund } from '../refunds/collected-money.js';
import type { SandboxFixture } from '../sandbox-fixture.js';
import { endHonourPeriod, LONG_DAY_MS, reauthorize } from '../authorizations/reauthorizing.js';
import { batchOf, itemFor, PATH as PAYOUTS } from '../payouts/payout-helpers.js';
import { planBody, Subscriptions } from '../subscriptions/subscription-calls.js';

/** Too long for anything to finish by the clock during a test. */
const NEVER_MS = 3_600_000;

/** Ids of what `keepBooks` has made, by what they are. */
export type Kept = Readonly<Record<string, string>>;

/** Makes something of everything that moves money, and of what waits to. */
export async function keepBooks(sandbox: SandboxFixture): Promise<Kept> {
  return {
    ...(await keepSales(sandbox)),
    ...(await keepAuthorizations(sandbox)),
    ...(await keepPending(sandbox)),
    ...(await keepAgreement(sandbox)),
    ...(await keepPayouts(sandbox)),
  };
}

async function keepSales(sandbox: SandboxFixture) {
  const { id: sale, paymentId: saleOf } = await collect(sandbox, 'sale');
  const returned = await collect(sandbox, 'sale');
  const { body } = await refund(sandbox, returned, dollars('5.00'));
  await sandbox.request('POST', `/admin/sales/${returned.id}/reverse`, dollars('7.00'));
  return { sale, saleOf, returnedSale: returned.id, saleRefund: String(body.id) };
}

async function keepAuthorizations(sandbox: SandboxFixture) {
  const { paymentId: heldOf, authorizationId: held } = await sandbox.authorized();
  const { paymentId: partOf, authorizationId: part } = await sandbox.authorized();
  const { body: capture } = await sandbox.capture(part, '40.00');
  const { body: refunded } = await refund(
    sandbox,
    { kind: 'capture', id: capture.id, paymentId: partOf },
    dollars('5.00'),
  );
  await sandbox.request('POST', `/admin/captures/${capture.id}/reverse`, dollars('1.00'));
  const { authorizationId: whole } = await sandbox.authorized();
  await sandbox.capture(whole, '30.00', { is_final_capture: true });
  const { authorizationId: voided } = await sandbox.authorized();
  await sandbox.void(voided);

  await sandbox.configure({ reauthorizationId: 'new', dayLengthMs: LONG_DAY_MS });
  const { authorizationId: parent } = await sandbox.authorized();
  await endHonourPeriod(sandbox, parent);
  const { body: successor } = await reauthorize(sandbox, parent, '90.00');
  const kept = { heldOf, held, partOf, part, capture, captureRefund: refunded, whole, voided };
  return { ...kept, capture: capture.id, captureRefund: refunded.id, successor: successor.id };
}

async function keepPending(sandbox: SandboxFixture) {
  const { body: waiting } = await sandbox.createPayment();
  await sandbox.configure({
    captureOutcome: 'pending_then_completed',
    captureSettleMs: NEVER_MS,
    saleOutcome: 'pending_then_completed',
    saleSettleMs: NEVER_MS,
    pendingPaymentState: 'in_progress',
  });
  const { id: pendingSale, paymentId: inProgress } = await collect(sandbox, 'sale');
  const { authorizationId: reserving } = await sandbox.authorized();
  const { body: pendingCapture } = await sandbox.capture(reserving, '10.00');
  const { authorizationId: closing } = await sandbox.authorized();
  await sandbox.capture(closing, '10.00', { is_final_capture: true });
  await sandbox.configure({});
  return {
    waiting: waiting.id,
    pendingSale,
    inProgress,
    reserving,
    pendingCapture: pendingCapture.id,
    closing,
  };
}

async function keepAgreement(sandbox: SandboxFixture) {
  const plan = planBody({}, { setup_fee: { value: '10.60', currency: 'USD' } });
  const agreement = await new Subscriptions(sandbox).agreement(plan);
  const [sale] = await sandbox.sql(`SELECT id FROM sales WHERE billing_agreement_id = '${agreement}'`);
  return { agreement, agreementSale: String(sale?.id) };
}

async function keepPayouts(sandbox: SandboxFixture) {
  return { paidItem: await pay('a@example.com'), failedItem: await pay('b+failed@example.com') };

  /** Paid before it is answered. */
  async function pay(receiver: string): Promise<string> {
    const { body } = await sandbox.call('POST', `${PAYOUTS}?sync_mode=true`, batchOf([itemFor(receiver)]));
    return body.items[0].payout_item_id;
  }
}
