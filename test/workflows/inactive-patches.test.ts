import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { bundleWith, patchPlaces } from '#proof/releases/generated-bundle.js';
import { forAllTests } from '../helpers/shared.js';
import { type StartedRun, startRunFixture } from './payment-run.js';

const fixture = forAllTests(startRunFixture);
const folder = mkdtempSync(join(tmpdir(), 'inactive-patches-'));
afterAll(() => rmSync(folder, { recursive: true }));

const id = 'of a later release';

/** How often the run has begun what the patch guards, and how many of its tasks have failed. */
async function seenIn({ workflowId }: StartedRun) {
  const { events = [] } = await fixture.temporal.workflow.getHandle(workflowId).fetchHistory();
  const count = (
    attributes: 'workflowPropertiesModifiedEventAttributes' | 'workflowTaskFailedEventAttributes',
  ) => (events ?? []).filter((event) => event[attributes]).length;
  return {
    begun: count('workflowPropertiesModifiedEventAttributes'),
    failed: count('workflowTaskFailedEventAttributes'),
  };
}

describe.each(patchPlaces)('a patch %s', (place) => {
  it('is begun by no worker that has it among the inactive ones, and followed by it where another has begun it', async () => {
    const workflowBundle = join(folder, `${place}.js`);
    const code = readFileSync(inject('workflowBundle'), 'utf8');
    writeFileSync(workflowBundle, bundleWith(code, [{ id, place }]));
    const following = await fixture.startWorker({ workflowBundle, inactivePatches: ['another', id] });
    await fixture.worker.close().catch(() => undefined);
    const [early, late] = [await fixture.start(), await fixture.start()];
    await early.approve();
    await early.reaches('authorized');
    await late.reaches('awaiting_approval');
    expect(await seenIn(early)).toEqual({ begun: 0, failed: 0 });

    const beginning = await fixture.startWorker({ workflowBundle });
    await following.close();
    const begun = await fixture.start();
    await begun.approve();
    await begun.reaches('authorized');
    await late.approve();
    await late.reaches('authorized');
    expect(await seenIn(begun)).toEqual({ begun: 1, failed: 0 });

    const back = await fixture.startWorker({ workflowBundle, inactivePatches: [id] });
    await beginning.close();
    for (const run of [early, late, begun]) {
      await run.send({ type: 'voidRequested', commandId: randomUUID() });
      await run.reaches('voided');
      expect(await seenIn(run)).toMatchObject({ failed: 0 });
    }
    expect(await seenIn(early)).toMatchObject({ begun: 0 });
    expect(await seenIn(begun)).toMatchObject({ begun: 1 });
    await back.close();
  });
});
