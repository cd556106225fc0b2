import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.js';

/** `npm run simulate -- --lifecycles N --seed S`: ends with one line of JSON; fails where a promise was broken. */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { lifecycles: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  });
  const lifecycles = wholeNumber('lifecycles', values.lifecycles);
  const seed = wholeNumber('seed', values.seed);
  const {
    firstViolation,
    seconds: _seconds,
    ...result
  } = await runCampaign({
    lifecycles,
    seed,
    report: (line) => process.stderr.write(`${line}\n`),
  });
  const { trace, ...first } = firstViolation ?? { trace: undefined };
  if (trace !== undefined) process.stdout.write(`${trace}\n`);
  const line = { ...result, firstViolation: firstViolation ? first : null };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  if (result.violations > 0) process.exitCode = 1;
}

function wholeNumber(name: string, written: string): number {
  const value = Number(written);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`--${name} must be a whole number from 1 on`);
  return value;
}
