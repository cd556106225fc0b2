import type { SeenWorker } from '#runs';
import { Badge, Instant, Notice, Table } from '../html/parts.js';

/** A worker that lives asks again after a minute. */
const aliveMs = 90_000;

/** The workers that Temporal has seen lately: without one nothing is carried out. */
export function Workers({ workers, now }: { workers: readonly SeenWorker[] | undefined; now: number }) {
  if (!workers)
    return (
      <Notice tone="bad">
        Temporal does not answer, so nobody knows whether a worker is there. Requests and events are kept, and
        carried out when it is back.
      </Notice>
    );
  if (workers.length === 0)
    return (
      <Notice tone="bad">
        No worker asks Temporal for work: nothing is carried out until one is started.
      </Notice>
    );
  return (
    <Table
      caption="The workers that have asked Temporal for work in the last five minutes."
      none=""
      rows={workers}
      columns={[
        { name: 'Worker', cell: ({ name }) => name },
        { name: 'Last seen', cell: ({ seenAt }) => <Instant at={seenAt} /> },
        {
          name: 'State',
          cell: ({ seenAt }) =>
            now - seenAt.getTime() < aliveMs ? (
              <Badge tone="good">alive</Badge>
            ) : (
              <Badge tone="caution">silent</Badge>
            ),
        },
      ]}
    />
  );
}
