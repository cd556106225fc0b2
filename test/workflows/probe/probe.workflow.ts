import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { ProbeActivities, ProbeInput } from './scenario.js';

const reported = defineSignal<[string]>('told');
const asked = defineUpdate<void, [string]>('asked');
const here = proxyLocalActivities<ProbeActivities>({ startToCloseTimeout: '1 minute' });
const elsewhere = proxyActivities<ProbeActivities>({ startToCloseTimeout: '1 minute' });

/**
 * What the engine's runs use of Temporal, and nothing else: words come as signals and updates, are taken one after the
 * other, and each is carried out by an activity. Its diary is what the run has seen, in that order.
 */
export async function probe({ diary = [], words = [] }: ProbeInput): Promise<readonly string[]> {
  const seen = [...diary];
  const inbox = [...words];
  setHandler(reported, (word) => {
    seen.push(`told ${word}`);
    inbox.push(word);
  });
  setHandler(
    asked,
    async (word) => {
      seen.push(`asked ${word}`);
      inbox.push(word);
      await Promise.resolve();
    },
    {
      validator: (word) => {
        if (word.startsWith('bad')) throw ApplicationFailure.nonRetryable('it is bad', 'bad');
      },
    },
  );
  let waitMs = 600_000;
  for (;;) {
    const isReported = await condition(() => inbox.length > 0, waitMs);
    const word = isReported ? (inbox.shift() ?? '') : 'late';
    // As a run does before it moves money: what led here is in the history then.
    if (word.startsWith('sure')) await sleep(1);
    const { carryOut } = word.startsWith('far') ? elsewhere : here;
    seen.push(`begins ${word}`);
    seen.push(await carryOut(word));
    waitMs = word.startsWith('hasty') ? 200 : 600_000;
    if (!word.startsWith('end') && !word.startsWith('anew')) continue;
    await condition(allHandlersFinished);
    if (word.startsWith('end')) return seen;
    await continueAsNew<typeof probe>({ diary: [...seen, 'anew'], words: inbox });
  }
}
