import { expect, it } from 'vitest';
import { workflowIdOf } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { PayoutService, item } from '../payouts/payout-service.js';

const engine = forAllTests(() => startEngine({ reconciles: 'often' }));
const service = new PayoutService(engine);

it('continues a payout whose run is lost, and pays nobody again', async () => {
  const { body } = await service.order([item('gone-1'), item('gone-2', 'unclaimed')]);
  await service.itemReaches(body.id, 'gone-2', 'unclaimed');
  const workflowId = workflowIdOf({ environment: 'sandbox', application: 'shop', id: body.id });
  await engine.temporal.workflow.getHandle(workflowId).terminate('a test');

  const unclaimed = (await service.items(body.id)).find(({ itemId }) => itemId === 'gone-2');
  await service.change(unclaimed?.providerItemId ?? '', 'claim');
  await service.reaches(body.id, 'completed');
  expect((await service.items(body.id)).map(({ state }) => state)).toEqual(['success', 'success']);
  expect(await service.booksOf(body.id)).toEqual(['payout gone-1 750', 'payout gone-2 750']);
});
