import { readFileSync, readdirSync } from 'node:fs';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { describe, expect, inject, it } from 'vitest';
import { encryptingDataConverter } from '../../libs/payload-codec/src/data-converter.js';
import { historyKeys } from '../histories/history-key.js';

const folder = new URL('../histories/payment/', import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(/\.binpb$/, ''));

/** Every state that a run waits in for a message or a deadline, and every way to end, has its history here. */
const required = [
  'authorized',
  'awaiting-approval',
  'cancelled',
  'captured',
  'captured-by-policy',
  'capturing-in-doubt',
  'capturing-pending',
  'continued-as-new',
  'expired',
  'needs-review',
  'partially-captured',
  'voided',
  'voiding-put-off',
];

describe('today’s workflow code', () => {
  it('is checked against every waiting state and every end', () => {
    expect(names).toEqual(expect.arrayContaining(required));
  });

  it.each(names)('takes over the stored run "%s" without non-determinism', async (name) => {
    await replay(stored(name));
  });

  it('is not let through once it calls another activity than the stored run did', async () => {
    const code = bundle.replaceAll('activities.createPayment', 'activities.openPayment');
    expect(code).not.toBe(bundle);
    await expect(replay(stored('authorized'), code)).rejects.toThrow();
  });

  it('is not let through once it waits where the stored run went on', async () => {
    const code = bundle.replaceAll(
      'if (!this.input.continued)',
      'await (0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.condition)(() => false, 5);if (!this.input.continued)',
    );
    expect(code).not.toBe(bundle);
    await expect(replay(stored('authorized'), code)).rejects.toThrow();
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
