import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** The load average from which a run's times say more about the machine than about what was measured. */
const busyLoad = 1.5;

export interface Surroundings {
  readonly loadBefore: number;
  /** Set where the load before the run was too high. */
  readonly warning?: string;
  readonly hardware: object;
}

/** What else a reader of a run's figures must know. To be taken before the run. */
export function surroundingsNow(loadBefore = loadavg()[0] ?? 0): Surroundings {
  const isBusy = loadBefore > busyLoad;
  const warning = `it began at a load average of ${loadBefore.toFixed(1)}: believe its counts, not its times`;
  return { loadBefore, ...(isBusy && { warning }), hardware: hardware() };
}

function hardware(): object {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}
