import type { Stage } from './stage.js';

const day = 86_400_000;

/**
 * The person who is asked, and who knows what happened: of a batch by the provider's own books, of anything else by saying
 * the one and then the other, for what is decided is held against the provider before it is believed.
 */
export function decideReviews(stage: Stage): void {
  const asked = new Set<string>();
  stage.watch({
    subjectChanged: (_before, { id, status }) => {
      if (status !== 'needs_review' || asked.has(id)) return;
      asked.add(id);
      void decide(stage, id).finally(() => asked.delete(id));
    },
    commandChanged: (before, { id, kind, status, subjectId }) => {
      if (kind !== 'decide' || status !== 'succeeded' || before?.status === status) return;
      if (stage.row(subjectId).status !== 'needs_review') return;
      stage.world.violate(
        'told without effect',
        `${id} was told ${status}, and ${subjectId} is under review as before`,
      );
    },
  });
}

async function decide(stage: Stage, subjectId: string): Promise<void> {
  const { world, rows, server } = stage;
  const isAsked = () => stage.row(subjectId).status === 'needs_review';
  for (let times = 0; times < 10; times += 1) {
    await world.clock.sleep(times === 0 ? world.draws.spread('operator', 60_000, 3 * day) : 4 * day);
    if (!isAsked()) return;
    const commandId = world.nextId('cmd_');
    const word = wordAbout(stage, subjectId, times);
    const parameters = { ...word, reason: 'looked' };
    rows.commands.accept({ id: commandId, kind: 'decide', subjectId, parameters });
    world.tell(() => `an operator decides about ${subjectId}: ${word.decision} (${commandId})`);
    const message = {
      id: commandId,
      event: { type: 'reviewDecided', commandId, ...parameters },
    };
    for (;;) {
      const answer = await server.update(stage.workflowId(subjectId), commandId, 'decideReview', message);
      if (answer === 'lost') continue;
      const refusal =
        answer === 'closed' ? { code: 'not_allowed_in_state', reason: 'It has ended.' } : answer;
      if (refusal !== 'taken') rows.commands.refuse(commandId, refusal);
      break;
    }
  }
}

function wordAbout({ provider }: Stage, subjectId: string, times: number) {
  const [batch] = provider.payouts.of(subjectId);
  if (batch) return { decision: 'happened', resourceId: batch.id };
  const isPayout = subjectId.startsWith('po_');
  return isPayout || times % 2 === 0
    ? { decision: 'did_not_happen', isUnverified: isPayout }
    : { decision: 'happened' };
}
