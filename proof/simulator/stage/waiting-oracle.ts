import { noticedWithinMs } from './patience.js';
import type { Stage } from './stage.js';

/**
 * While the row of a payment waits, a request that was carried out is answered as under way (docs/decisions/0018). The row
 * must not wait for long: its run reads again what it does not know.
 */
export function watchWaitingRows({ watch, world, row }: Pick<Stage, 'watch' | 'world' | 'row'>): void {
  watch({
    subjectChanged: () => undefined,
    commandChanged: (before, { id, kind, status, subjectId }) => {
      if (status !== 'succeeded' || before?.status === status) return;
      const { waitsSince } = row(subjectId);
      if (waitsSince === undefined) return;
      world.clock.after(noticedWithinMs, () => {
        if (row(subjectId).waitsSince === waitsSince)
          world.violate(
            'told without effect',
            `${kind} ${id} was carried out, and ${subjectId} does not show it`,
          );
      });
    },
  });
}
