/**
 * How long the polls under way at SIGTERM may still bring a task, in milliseconds. The SDK breaks them off at once, unless
 * Temporal's server ends them itself (from 1.31, where it is switched on): a task that was handed out in that moment is
 * lost until its timeout, and the accepted call that waits for it with it. No new poll begins meanwhile.
 */
const lastPollsMs = 2_000;

/** By a variable of the SDK's core, because its options have nothing for it. Before the first worker is created. */
export function awaitLastPolls(): void {
  process.env['TEMPORAL_POLL_SHUTDOWN_INTERRUPT_WAIT_MS'] ??= String(lastPollsMs);
}
