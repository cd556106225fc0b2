import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Result, runCampaign } from './campaign.js';
import { harmless, holes } from './holes.js';
import { knownDefects } from './known-defects.js';

const table = 'docs/simulation.md';

/** As many lifecycles as one processor simulates in ten minutes, and some. */
const mostLifecycles = 1_000_000;

/**
 * `npm run simulate:known`: puts each known defect back and looks for it, for ten minutes of the processor at most, and
 * writes into docs/simulation.md where it was found. Ends with one line of JSON; fails where one was not found.
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
    const result = await runCampaign({ ...campaign, patches, alsoWithout, oracles });
    if (result.firstViolation) found += 1;
    const line = lineOf(name, result);
    process.stdout.write(`${line}\n`);
    await writeLine(name, line);
  }
  for (const { name, because } of harmless) process.stdout.write(`${name}: harmless by itself, ${because}\n`);
  for (const { name, lacks } of holes) process.stdout.write(`${name}: not in the model, ${lacks}\n`);
  process.stdout.write(`${JSON.stringify({ defects: chosen.length, found, holes: holes.length })}\n`);
  if (found < chosen.length) process.exitCode = 1;
}

function lineOf(name: string, { lifecycles, seconds, firstViolation: found }: Result): string {
  const effort = `${lifecycles.toLocaleString('en')} lifecycles, ${seconds.toFixed(1)} s`;
  return found
    ? `- ${name}: world ${found.seed}, ${effort}, _${found.oracle}_.`
    : `- ${name}: **not found** in ${effort}.`;
}

/** The line of a defect that is listed takes the place of its former one. */
async function writeLine(name: string, line: string): Promise<void> {
  const lines = (await readFile(table, 'utf8')).split('\n');
  const at = lines.findIndex((each) => each.startsWith(`- ${name}: `));
  if (at < 0) throw new Error(`${table} does not list: ${name}`);
  lines[at] = line;
  await writeFile(table, lines.join('\n'));
}
