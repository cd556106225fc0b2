import { requests } from './intruder.js';
import type { Stage } from './stage.js';

/** While the first task of a run sends its request, raw signals of different names come to the run. */
export function playEarlyMessages(stage: Stage): void {
  if (stage.world.coincidence !== 'messages in a first task') return;
  stage.watch({
    subjectChanged: () => undefined,
    commandChanged: () => undefined,
    attemptBegun: ({ subject_id: id }) => {
      if (isInFirstTask(stage, id)) void sendSignals(stage, id);
    },
  });
}

/** No task of it has completed yet, or none since it was continued as new. */
function isInFirstTask({ server, workflowId }: Stage, id: string): boolean {
  return server.runs.get(workflowId(id))?.history.length === 0;
}

async function sendSignals(stage: Stage, id: string): Promise<void> {
  const { world, server, row, workflowId } = stage;
  const { draws, clock } = world;
  const named = requests[row(id).kind] ?? [];
  if (named.length === 0) return;
  world.hasIntruder = true;
  for (let left = draws.between('early signals', 2, 4); left > 0; left -= 1) {
    await clock.sleep(draws.spread('early', 1, 100));
    const isHint = draws.chance('early hint', 0.5);
    const type = isHint ? 'providerNotified' : draws.pick('early request', named);
    const besides = isHint ? { eventType: 'RAW' } : { commandId: world.nextId('cmd_raw'), note: 'raw' };
    server.signal(workflowId(id), type, { id: world.nextId('raw'), event: { type, ...besides } });
  }
}
