import { afterEach, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { DoubtStage } from './doubt-stage.js';
import { usd } from '../helpers/usd.js';

const stage = forAllTests(
  () => DoubtStage.start({ reviewAfterMs: 600_000 }),
  ({ engine }) => engine.close(),
);
afterEach(() => stage.engine.sandbox.clearFaults());

it('an event that names the capture in doubt resolves it, even if the payment does not show it yet', async () => {
  const id = await stage.held();
  await stage.paymentsLag();
  await stage.losesAnswers('authorization.capture');
  void stage.engine.orders.capture(id, { amount: usd('40.00') }).catch(() => undefined);
  const { captures } = await stage.engine.orders.reaches(id, 'partially_captured');
  expect(captures).toMatchObject([{ amount: { value: '40.00' }, state: 'completed' }]);
  expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000']);
});

it('an event that names the refund in doubt resolves it, even if the payment does not show it yet', async () => {
  const { orders, sandbox } = stage.engine;
  const { body } = await orders.order({ capturePolicy: { mode: 'automatic' } });
  await orders.reaches(body.id, 'captured');
  await stage.paymentsLag();
  await stage.losesAnswers('capture.refund');
  const refund = await orders.refund(body.id, { amount: usd('12.50') });
  await stage.stands(`/v1/refunds/${refund.body.id}`, 'completed');
  expect(await sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000', 'refund 1250']);
});

it('an event that names the hold does not resolve a void in doubt before a read shows what was captured of it', async () => {
  const { orders, sandbox } = stage.engine;
  const id = await stage.held();
  await stage.paymentsLag();
  await stage.fault('*', { kind: 'drop_delivery', times: 1 });
  await sandbox.postAsOwner(`/v1/payments/authorization/${await holdOf(id)}/capture`, {
    amount: { total: '30.00', currency: 'USD' },
    is_final_capture: false,
  });
  await stage.losesAnswers('authorization.void');
  void orders.void(id).catch(() => undefined);
  await stage.inDoubt(`/v1/payments/${id}`);
  const { body } = await stage.check(`/v1/payments/${id}`);
  expect(body).toMatchObject({ state: 'voiding' });
  await sandbox.clearFaults();
  await stage.check(`/v1/payments/${id}`);
  const ended = await orders.reaches(id, 'captured');
  expect(ended.amounts).toMatchObject({ captured: usd('30.00'), released: usd('70.00') });
  expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 3000', 'release 7000']);
});

it('an event that names another capture of the same amount is not taken for ours', async () => {
  const id = await stage.held();
  const authorizationId = await holdOf(id);
  // Ours never gets there, and nobody can tell.
  await stage.fault('authorization.capture', { kind: 'status', status: 500 });
  await stage.paymentsLag();
  void stage.engine.orders.capture(id, { amount: usd('40.00') }).catch(() => undefined);
  await stage.inDoubt(`/v1/payments/${id}`);
  const before = await stage.calls('capture.get');
  await stage.engine.sandbox.postAsOwner(`/v1/payments/authorization/${authorizationId}/capture`, {
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

async function holdOf(id: string): Promise<string> {
  const { authorizations } = await stage.engine.orders.get(id);
  return authorizations[0] ?? '';
}
