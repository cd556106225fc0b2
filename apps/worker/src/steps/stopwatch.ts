/** Time passed by whichever of two clocks saw more: one can be set back, the other stands while a machine sleeps. */
export function startStopwatch(): () => number {
  const [wall, monotonic] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - monotonic);
}
