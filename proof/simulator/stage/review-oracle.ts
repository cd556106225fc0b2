import type { StepOf, SteppingState } from '#workflows/lifecycle/step';
import { patience } from './patience.js';
import type { Stage } from './stage.js';

/** A run that dies, and is tried again, may be so late. */
const marginMs = 300_000;

/** A person is asked about an outcome that has been unknown for as long as was promised: of a plan nobody ever is. */
export function watchReviews(stage: Stage): void {
  const { clock } = stage.world;
  const watched = new Set<string>();
  stage.watch({
    subjectChanged: (_before, { id, kind, state }) => {
      const doubt = kind === 'plan' ? undefined : doubtIn(state);
      const name = doubt && `${id} ${doubt.number} ${doubt.since}`;
      if (!doubt || !name || watched.has(name)) return;
      watched.add(name);
      clock.at(doubt.since + patience.reviewAfterMs + marginMs, () => {
        const row = stage.row<SteppingState<StepOf>>(id);
        const now = doubtIn(row.state);
        const isSame = now?.number === doubt.number && now.since === doubt.since;
        if (!isSame || row.status === 'needs_review') return;
        stage.world.violate('review late', `${id}: nobody is asked about ${doubt.step.type}`);
      });
    },
    commandChanged: () => undefined,
  });
}

function doubtIn(state: object) {
  const { openStep } = state as SteppingState<StepOf>;
  return openStep?.phase === 'doubt' ? openStep : undefined;
}
