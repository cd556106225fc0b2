import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.js';
import { harmless, holes } from './holes.js';
import { knownDefects } from './known-defects.js';

/** As many lifecycles as one processor simulates in ten minutes, and some. */
const mostLifecycles = 1_000_000;

/**
 * `npm run simulate:known`: puts each known defect back and looks for it, for ten minutes at most. Ends with one line of
 * JSON; fails where one was not found.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: '600' },
    },
  });
  const chosen = knownDefects.filter(({ name }) => name.includes(values.only));
  const limitMs = Number(values.seconds) * 1_000;
  let found = 0;
  for (const { name, patches, breaks: oracles, hiddenBy: alsoWithout = [] } of chosen) {
    const campaign = { lifecycles: mostLifecycles, seed: Number(values.seed), stopsAtFirst: true, limitMs };
    const begunAt = performance.now();
    const { lifecycles, firstViolation } = await runCampaign({ ...campaign, patches, alsoWithout, oracles });
    const seconds = ((performance.now() - begunAt) / 1_000).toFixed(1);
    const where = firstViolation ? `world ${firstViolation.seed}` : 'NOT FOUND';
    if (firstViolation) found += 1;
    process.stdout.write(
      `${name} | ${where} | after ${lifecycles} lifecycles, ${seconds} s | ${firstViolation?.oracle ?? ''}: ${firstViolation?.words.split('\n')[0] ?? ''}\n`,
    );
  }
  for (const { name, because } of harmless)
    process.stdout.write(`${name} | harmless by itself: ${because}\n`);
  for (const { name, lacks } of holes) process.stdout.write(`${name} | not in the model: ${lacks}\n`);
  process.stdout.write(`${JSON.stringify({ defects: chosen.length, found, holes: holes.length })}\n`);
  if (found < chosen.length) process.exitCode = 1;
}
