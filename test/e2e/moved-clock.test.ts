import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { WorkerProcess } from './worker-process.js';

const folder = mkdtempSync(join(tmpdir(), 'moved-clock-'));
/** While it exists, the clock is two hours ahead, as after a wrong answer of a time server. */
const ahead = join(folder, 'ahead');
const preloaded = join(folder, 'clock.cjs');
writeFileSync(
  preloaded,
  `const { existsSync } = require('node:fs');
const now = Date.now;
Date.now = () => now() + (existsSync(${JSON.stringify(ahead)}) ? 7_200_000 : 0);
globalThis.Date = new Proxy(Date, {
  construct: (target, args) => new target(...(args.length === 0 ? [Date.now()] : args)),
});`,
);

let engine: Engine;
let worker: WorkerProcess;
beforeAll(async () => {
  engine = await startEngine({ withWorker: false });
  worker = await WorkerProcess.start(engine, {
    CODEC_KEYS: engine.apiVariables['CODEC_KEYS']!,
    NODE_OPTIONS: `--require ${preloaded}`,
  });
});
afterAll(async () => {
  await worker.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});

it('a worker whose clock is set ahead while it works ends no payment whose payer has time', async () => {
  const { orders } = engine;
  const { id: before } = (await orders.order({ approvalTimeoutSeconds: 3_600 })).body;
  await orders.reaches(before, 'awaiting_approval');

  writeFileSync(ahead, '');
  const ordered = orders.order({ approvalTimeoutSeconds: 3_600 });
  await until(
    async () => worker.log().includes('ClockOffError') || (await orders.get(before)).state === 'expired',
    (isNoticed) => isNoticed,
    'the clock to be noticed, or to do harm',
  );
  rmSync(ahead);
  const { id } = (await ordered).body;
  await orders.reaches(id, 'awaiting_approval', 'expired');
  expect([(await orders.get(id)).state, (await orders.get(before)).state]).toEqual([
    'awaiting_approval',
    'awaiting_approval',
  ]);
});
