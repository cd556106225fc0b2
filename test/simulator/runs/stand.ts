import { buildSimulator } from '#proof/simulator/build.js';
import type * as Stand from './run-stand.js';

/** Built once for all files of a process. */
export const { RunStand } = (await import(
  await buildSimulator('runs', [], 'test/simulator/runs/run-stand.ts')
)) as typeof Stand;
