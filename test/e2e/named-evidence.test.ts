import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../helpers/until.js';
import { DoubtStage, usd } from './doubt-stage.js';

let stage: DoubtStage;
beforeAll(async () => {
  stage = await DoubtStage.start({ reviewAfterMs: 600_000 });
});
afterEach(() => stage.engine.sandbox.clearFaults());
afterAll(async () => {
  await stage.engine.close();
});

it('an event that names the capture in doubt settles it, though the payment does not show it yet', async () => {
  const id = await stage.held();
  await stage.paymentsLag();
  await stage.losesAnswers('authorization.capture');
  void stage.engine.orders.capture(id, { amount: usd('40.00') }).catch(() => undefined);
  const { captures } = await stage.engine.orders.reaches(id, 'partially_captured');
  expect(captures).toMatchObject([{ amount: { value: '40.00' }, status: 'completed' }]);
  expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000']);
});

it('an event that names the refund in doubt settles it, though the payment does not show it yet', async () => {
  const { orders, sandbox } = stage.engine;
  const { body } = await orders.order({ capturePolicy: { mode: 'automatic' } });
  await orders.reaches(body.id, 'captured');
  await stage.paymentsLag();
  await stage.losesAnswers('capture.refund');
  const refund = await orders.refund(body.id, { amount: usd('12.50') });
  await stage.stands(`/v1/refunds/${refund.body.id}`, 'completed');
  expect(await sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000', 'refund 1250']);
});

it('an event that names the hold settles a void in doubt, though the payment does not show it yet', async () => {
  const id = await stage.held();
  await stage.paymentsLag();
  await stage.losesAnswers('authorization.void');
  void stage.engine.orders.void(id).catch(() => undefined);
  await stage.engine.orders.reaches(id, 'voided');
  expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'release 10000']);
});

it('an event that names another’s capture of the same amount is not taken for ours', async () => {
  const id = await stage.held();
  const { authorizations } = await stage.engine.orders.read<{ authorizations: string[] }>(
    `/v1/payments/${id}`,
  );
  // Ours never gets there, and nobody can tell.
  await stage.fault('authorization.capture', { kind: 'status', status: 500 });
  await stage.paymentsLag();
  void stage.engine.orders.capture(id, { amount: usd('40.00') }).catch(() => undefined);
  await stage.inDoubt(`/v1/payments/${id}`);
  const before = await stage.calls('capture.get');
  await stage.engine.sandbox.postAsOwner(`/v1/payments/authorization/${authorizations[0]}/capture`, {
    amount: { total: '40.00', currency: 'USD' },
    is_final_capture: false,
  });
  await until(
    () => stage.calls('capture.get'),
    (count) => count > before,
    'the capture to be read',
  );
  expect(await stage.show(`/v1/payments/${id}`)).toMatchObject({ state: 'capturing' });
});
