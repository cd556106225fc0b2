import { beforeAll, expect, it } from 'vitest';
import { type Result, runCampaign } from '#proof/simulator/campaign.js';

const slice = { lifecycles: 1_500, seed: 20_260 };
let result: Result;
beforeAll(async () => {
  result = await runCampaign(slice);
});

it('thousands of lifecycles break no promise, whatever Temporal and the provider do', () => {
  // The shortest trace that was found, where there is one.
  expect(result.firstViolation?.trace).toBeUndefined();
  expect(result).toMatchObject({ violations: 0 });
  expect(result.lifecycles).toBeGreaterThanOrEqual(slice.lifecycles);
});

it('the same seed repeats its lifecycles step by step', async () => {
  const { lifecycles, steps } = result;
  expect(await runCampaign(slice)).toMatchObject({ lifecycles, steps });
});

it('a world shows a double execution when an attempt that was begun is sent again', async () => {
  const sentAgain = {
    file: 'apps/worker/src/steps/attempts/attempt-step.ts',
    find: "if (begin.kind === 'repeated') return await record.resume();",
    replace: `if (begin.kind === 'repeated') {
      await send(identity).catch(() => undefined);
      return await record.resume();
    }`,
  };
  const found = await runCampaign({ ...slice, patches: [sentAgain], stopsAtFirst: true });
  expect(found.firstViolation?.oracle).toMatch(/^(money moved|made) twice$/);
});
