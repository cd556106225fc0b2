import { readFileSync, readdirSync } from 'node:fs';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { describe, expect, inject, it } from 'vitest';
import { encryptingDataConverter } from '../../libs/payload-codec/src/data-converter.js';
import { historyKeys } from '../histories/history-key.js';

const folder = new URL('../histories/', import.meta.url);
const namesIn = (lifecycle: string) =>
  readdirSync(new URL(`${lifecycle}/`, folder)).map((file) => `${lifecycle}/${file.replace(/\.binpb$/, '')}`);
const names = [
  ...namesIn('payment'),
  ...namesIn('payout'),
  ...namesIn('refund'),
  ...namesIn('plan'),
  ...namesIn('subscription'),
];

/** Every state that a run waits in for a message or a deadline, and every way to end, has its history here. */
const required = [
  'payment/authorized',
  'payment/awaiting-approval',
  'payment/cancelled',
  'payment/captured',
  'payment/captured-by-policy',
  'payment/capturing-in-doubt',
  'payment/capturing-pending',
  'payment/continued-as-new',
  'payment/expired',
  'payment/needs-review',
  'payment/partially-captured',
  'payment/reauthorized',
  'payment/reauthorizing-in-doubt',
  'payment/reauthorizing-put-off',
  'payment/released',
  'payment/captured-by-honour-policy',
  'payment/sale-completed',
  'payment/sale-continued-as-new',
  'payment/sale-denied',
  'payment/sale-executing-in-doubt',
  'payment/sale-needs-review',
  'payment/sale-pending',
  'payment/voided',
  'payment/voiding-put-off',
  'payout/cancelled',
  'payout/cancelling-in-doubt',
  'payout/completed',
  'payout/continued-as-new',
  'payout/creating-in-doubt',
  'payout/creating-put-off',
  'payout/declined',
  'payout/denied',
  'payout/needs-review',
  'payout/processing',
  'payout/settling',
  'refund/completed',
  'refund/continued-as-new',
  'refund/declined',
  'refund/needs-review',
  'refund/observed',
  'refund/pending',
  'refund/requested',
  'refund/requested-pending',
  'refund/requesting-in-doubt',
  'refund/requesting-put-off',
  'refund/unfounded',
  'plan/activating-in-doubt',
  'plan/active',
  'plan/creating-in-doubt',
  'plan/creating-put-off',
  'plan/declined',
  'plan/deleted',
  'plan/inactive',
  'subscription/active',
  'subscription/awaiting-approval',
  'subscription/cancelled',
  'subscription/cancelling-in-doubt',
  'subscription/continued-as-new',
  'subscription/creating-put-off',
  'subscription/declined',
  'subscription/executing-in-doubt',
  'subscription/executing-put-off',
  'subscription/expired',
  'subscription/lapsed',
  'subscription/needs-review',
  'subscription/pending',
  'subscription/reactivating-in-doubt',
  'subscription/suspended',
  'subscription/suspended-on-word',
  'subscription/suspending-in-doubt',
  'subscription/suspending-put-off',
];

describe('case 21: today’s workflow code', () => {
  it('is checked against every waiting state and every end', () => {
    expect(names).toEqual(expect.arrayContaining(required));
  });

  it.each(names)('takes over the stored run "%s" without non-determinism', async (name) => {
    await replay(stored(name));
  });

  it('is not let through once it calls another activity than the stored run did', async () => {
    const code = bundle.replaceAll('activities.createPayment', 'activities.openPayment');
    expect(code).not.toBe(bundle);
    await expect(replay(stored('payment/authorized'), code)).rejects.toThrow();
  });

  it('is not let through once it reads a refund otherwise than the stored run did', async () => {
    const code = bundle.replaceAll('observeRefund', 'readRefund');
    expect(code).not.toBe(bundle);
    await expect(replay(stored('refund/pending'), code)).rejects.toThrow();
  });

  it('is not let through once it reads a payout otherwise than the stored run did', async () => {
    const code = bundle.replaceAll('observePayout', 'readPayout');
    expect(code).not.toBe(bundle);
    await expect(replay(stored('payout/settling'), code)).rejects.toThrow();
  });

  it('is not let through once it reads an agreement otherwise than the stored run did', async () => {
    const code = bundle.replaceAll('observeAgreement', 'readAgreement');
    expect(code).not.toBe(bundle);
    await expect(replay(stored('subscription/expired'), code)).rejects.toThrow();
  });

  it('is not let through once it waits where the stored run went on', async () => {
    const code = bundle.replaceAll(
      'if (!this.continued)',
      'await (0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.condition)(() => false, 5);if (!this.continued)',
    );
    expect(code).not.toBe(bundle);
    await expect(replay(stored('payment/authorized'), code)).rejects.toThrow();
  });
});

const bundle = readFileSync(inject('workflowBundle'), 'utf8');

function stored(name: string) {
  return temporal.api.history.v1.History.decode(readFileSync(new URL(`${name}.binpb`, folder)));
}

async function replay(history: ReturnType<typeof stored>, code = bundle): Promise<void> {
  await Worker.runReplayHistory(
    { workflowBundle: { code }, dataConverter: encryptingDataConverter(historyKeys) },
    history,
    'stored',
  );
}
