import type { Stage } from './stage.js';

interface Ordered {
  readonly reason?: string;
  readonly order?: { readonly approvalBy?: number };
}

const isGivenUp = /gave no usable answer; it is proved that the execution of the \w+ did not happen/;

/**
 * If the provider does not answer for a while, no subject is declined before the time for the payer's approval is over: the
 * payer has approved, or may still approve.
 */
export function watchOutages({ watch, world }: Pick<Stage, 'watch' | 'world'>): void {
  watch({
    subjectChanged: (before, { id, status, state }) => {
      if (status !== 'declined' || before?.status === status) return;
      const { reason = '', order } = state as Ordered;
      if (isGivenUp.test(reason) && world.clock.now < (order?.approvalBy ?? 0))
        world.violate(
          'ended by an outage',
          `${id} is declined, because the provider did not answer for a while`,
        );
    },
    commandChanged: () => undefined,
  });
}
