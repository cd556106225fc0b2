/**
 * Measures elapsed time with two clocks and takes the larger one: the wall clock can be set back, the monotonic clock
 * stops while the machine sleeps.
 */
export function startStopwatch(): () => number {
  const [wall, monotonic] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - monotonic);
}
