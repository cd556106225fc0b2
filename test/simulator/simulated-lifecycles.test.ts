import { beforeAll, expect, it } from 'vitest';
import { type Result, runCampaign } from '#proof/simulator/campaign.js';

const slice = { lifecycles: 1_500, seed: 20_260 };
let result: Result;
beforeAll(async () => {
  result = await runCampaign(slice);
}, 120_000);

it('break no promise in thousands of lifecycles, whatever Temporal and the provider do', () => {
  // The shortest story that was found, where there is one.
  expect(result.firstViolation?.story).toBeUndefined();
  expect(result).toMatchObject({ violations: 0 });
  expect(result.lifecycles).toBeGreaterThanOrEqual(slice.lifecycles);
});

it('are lived again step by step by the same seed', async () => {
  const { lifecycles, steps } = result;
  expect(await runCampaign(slice)).toMatchObject({ lifecycles, steps });
});

it('are seen to be carried out twice where an attempt that was begun is sent again', async () => {
  const sentAgain = {
    file: 'apps/worker/src/steps/attempt-step.ts',
    find: 'if (begun === undefined) return await record.resume();',
    replace: `if (begun === undefined) {
      await send(identity).catch(() => undefined);
      return await record.resume();
    }`,
  };
  const found = await runCampaign({ ...slice, patches: [sentAgain], stopsAtFirst: true });
  expect(found.firstViolation?.oracle).toMatch(/^(money moved|made) twice$/);
});
