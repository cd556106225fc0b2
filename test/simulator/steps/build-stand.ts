import type * as Stand from './step-stand.js';

/** Stryker's trials share one build (vitest.mutation.config.ts). */
const builtVariable = 'STEP_STAND';

async function build(): Promise<string> {
  const { buildSimulator } = await import('#proof/simulator/build.js');
  return await buildSimulator('steps', [], 'test/simulator/steps/step-stand.ts');
}

export async function setup(): Promise<void> {
  process.env[builtVariable] = await build();
}

/** The steps with the simulator's rows, and the errors of their client, which are classes of the same build. */
export async function loadStand(): Promise<typeof Stand> {
  return (await import(process.env[builtVariable] ?? (await build()))) as typeof Stand;
}
