const tickMs = 50;
const mostTimes = 5;

/**
 * Plays it again if it failed and the machine stood still during it: for what happens at instants that are seconds apart,
 * which a paused machine misses. Any other failure is one at once.
 *
 * @param longestPauseMs that it must stand.
 */
export async function againIfPaused<T>(longestPauseMs: number, play: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time += 1) {
    const watch = watchForPauses();
    try {
      return await play();
    } catch (error) {
      if (watch.longestMs() <= longestPauseMs || time === mostTimes) throw error;
    } finally {
      watch.end();
    }
  }
}

function watchForPauses() {
  let longest = 0;
  let tickedAt = performance.now();
  const tick = () => {
    longest = Math.max(longest, performance.now() - tickedAt - tickMs);
    tickedAt = performance.now();
  };
  const timer = setInterval(tick, tickMs);
  return {
    longestMs: () => {
      tick();
      return longest;
    },
    end: () => clearInterval(timer),
  };
}
