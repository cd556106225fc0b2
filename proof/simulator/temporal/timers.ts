import type { World } from '../core/world.js';
import type { Job } from './history.js';
import type { Run } from './run.js';

export function startTimer(
  { clock, draws, faults }: World,
  run: Run,
  { seq, ms }: { readonly seq: number; readonly ms: number },
  add: (job: Job) => void,
): void {
  const late = faults.strikes('timer late', 0.02, 'a timer fires late')
    ? draws.spread('late', 50, 20_000)
    : 0;
  const due = clock.after(ms + late, () => {
    run.timers.delete(seq);
    add({ type: 'timerFired', seq });
  });
  run.timers.set(seq, due);
}

/** One that has fired, and was not seen to, is taken back as well. */
export function cancelTimer(run: Run, seq: number): void {
  const due = run.timers.get(seq);
  if (due) due.isCancelled = true;
  run.timers.delete(seq);
  run.pending = run.pending.filter((job) => job.type !== 'timerFired' || job.seq !== seq);
}
