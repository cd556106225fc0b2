/** Each process runs once in this time; milliseconds. */
const periodMs = 100;

/**
 * Lets processes run only for a share of the time, as a quota of the kernel would, which needs rights that not every
 * machine gives. They take turns, so that not all of them are stopped at once.
 *
 * @param share from 0 to 1.
 * @returns lets go of them; they run on.
 */
export function hold(pids: readonly number[], share: number): () => void {
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  const turn = (pid: number): void => {
    process.kill(pid, 'SIGCONT');
    later(periodMs * share, () => {
      process.kill(pid, 'SIGSTOP');
      later(periodMs * (1 - share), () => turn(pid));
    });
  };
  for (const [index, pid] of pids.entries()) later((periodMs * index) / pids.length, () => turn(pid));
  return () => {
    for (const timer of timers) clearTimeout(timer);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}
