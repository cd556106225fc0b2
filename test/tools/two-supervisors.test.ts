import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projectRoot } from '#tools/project.js';

const run = promisify(execFile);
const folders = 60;
const supervisors = 6;

/** Claims each folder at the instant at which all others do, and tells which ones it got. Node runs the sources as they are. */
const script = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) => next(/^\\.{1,2}\\/.*\\.js$/.test(name) ? name.replace(/js$/, 'ts') : name, context),
  });
  const [records, root, startsAt] = process.argv.slice(1);
  const { claimDataFolder } = await import(records);
  const got = [];
  for (let nth = 0; nth < ${folders}; nth += 1) {
    while (Date.now() < Number(startsAt) + nth * 20);
    await claimDataFolder(root + '/' + nth).then(() => got.push(nth), (error) => {
      if (!/is running on/.test(error.message)) throw error;
    });
  }
  console.log(JSON.stringify(got));
  // Who ends gives up its folders: all others have seen them before.
  await new Promise((end) => process.stdin.once('end', end).resume());
`;

it('of several supervisors that follow a killed one at the same time, one gets the folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'two-supervisors-'));
  try {
    for (let nth = 0; nth < folders; nth += 1) {
      mkdirSync(join(root, String(nth)));
      const killed = JSON.stringify({ pid: 999_999_999, startedAt: 'before a crash' });
      writeFileSync(join(root, String(nth), 'supervisor.json'), killed);
    }
    const startsAt = Date.now() + 1_500;
    const claims = Array.from({ length: supervisors }, () => claimAll(root, startsAt));
    const told = await Promise.all(claims.map(async ({ got }) => await got));
    for (const { release } of claims) release();
    expect(told.flat().toSorted((one, other) => one - other)).toEqual([...Array(folders).keys()]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

function claimAll(root: string, startsAt: number): { got: Promise<number[]>; release: () => void } {
  const records = join(projectRoot, 'tools/process-records.ts');
  const running = run(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
    records,
    root,
    String(startsAt),
  ]);
  const { child } = running;
  const got = new Promise<number[]>((resolve, reject) => {
    child.stdout?.once('data', (line: string) => resolve(JSON.parse(line) as number[]));
    running.catch(reject);
  });
  return { got, release: () => child.stdin?.end() };
}
