import { expect, it, onTestFinished } from 'vitest';
import { addResources } from '#database/transitions/resources.js';
import { executeAgreement } from '#worker/subscriptions/change-agreement.js';
import { order, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { owner } from '../database/engine-database.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { AgreementReads } from './agreement-reads.js';

it.each([
  { whose: 'another subscription’s', type: 'outcomeUnknown' },
  { whose: 'its own', type: 'agreementExecuted' },
])('an answer to an execution whose agreement is $whose is taken for $type', async ({ whose, type }) => {
  const reads = await AgreementReads.start();
  onTestFinished(() => reads.stop());
  const { agreement: another } = await reads.executed();
  const resource = { id: another.id, kind: 'agreement' };
  await addResources(reads.engine.db, { ...owner, id: 'sub_another' }, [resource]);
  const token = await reads.approved();
  const inTime = { ...order, executeBefore: Date.now() + 3_600_000 };
  const input = await reads.stored({ ...subscription('executing', { order: inTime }), token });
  if (whose !== 'its own') await reads.answer('agreement.execute', { id: another.id });
  const address = another.returnUrl ?? '';
  const offer = { name: '', description: '', returnUrl: address, cancelUrl: address };
  const { event } = await outcomeOf(executeAgreement(reads.work, input, offer));
  expect(event).toMatchObject({ type });
});

const addressOf = (id: string) => `https://engine.example/v1/subscriptions/${id}/return`;

it.each([
  { whose: 'another subscription’s', type: 'outcomeUnknown' },
  { whose: 'its own', type: 'agreementExecuted' },
])(
  'an answer without a return address, whose agreement nobody has on record and a read shows as $whose, is taken for $type',
  async ({ whose, type }) => {
    const reads = await AgreementReads.start();
    onTestFinished(() => reads.stop());
    const { agreement: another } = await reads.executed(addressOf('sub_another'));
    const returnUrl = addressOf('sub_ours');
    const token = await reads.approved(returnUrl);
    const inTime = { ...order, executeBefore: Date.now() + 3_600_000 };
    const input = await reads.stored({ ...subscription('executing', { order: inTime }), token });
    const wrong = whose === 'its own' ? {} : { remove: ['plan', 'id'], add: { id: another.id } };
    await reads.sandbox.service.switchOnFault({
      operation: 'agreement.execute',
      kind: 'reshape',
      remove: ['plan'],
      ...wrong,
      times: 1,
    });
    const offer = { name: '', description: '', returnUrl, cancelUrl: returnUrl };
    const { event } = await outcomeOf(executeAgreement(reads.work, input, offer));
    expect(event).toMatchObject({ type });
  },
);
