import { buildSimulator } from '#proof/simulator/build.js';
import type * as Stand from './step-stand.js';

/** The steps with the simulator's rows, and the errors of their client, which are classes of the same build. */
export const steps = (await import(
  await buildSimulator('steps', [], 'test/simulator/steps/step-stand.ts')
)) as typeof Stand;
