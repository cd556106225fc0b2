import { type RefundState, isSettled } from '../../../libs/workflows/src/lifecycle/refund/refund.js';
import type { Stage } from './stage.js';
import { isFinal } from './payment-oracles.js';

/** One that was given up may come to light later, and is told so: that is a proof, and changes its end. */
const proofs: readonly string[] = ['refundCameToLight'];

export function watchRefunds({ watch, world }: Pick<Stage, 'watch' | 'world'>): void {
  watch({
    subjectChanged: (before, after, timeline) => {
      if (before?.kind !== 'refund' || !isSettled((before.state as RefundState).status)) return;
      if (after.status === before.status || timeline.some(({ event }) => proofs.includes(event))) return;
      world.violate('final undone', `${after.id} was told ${before.status}, and is ${after.status} now`);
    },
    commandChanged: () => undefined,
  });
}

/** Holds what was told of a refund against the provider's books, once everything is at rest. */
export function judgeRefund(stage: Stage, id: string): void {
  const { state } = stage.row<RefundState>(id);
  const violate = (oracle: string, words: string) => stage.world.violate(oracle, `${id}: ${words}`);
  const run = stage.server.runs.get(stage.workflowId(id));
  if (!isSettled(state.status))
    return violate('stuck', `it is ${state.status} for ever (${state.reason ?? 'no reason'})`);
  if (!run?.ended) return violate('stuck', `it is ${state.status}, and its run goes on for ever`);
  if (state.claim.kind !== 'request') return;
  const references = stage.rows.attempts
    .filter(({ subject_id }) => subject_id === id)
    .map(({ reference }) => reference);
  const made = [...stage.provider.payments.payments.values()]
    .flatMap(({ refunds }) => refunds)
    .filter(({ invoiceNumber }) => references.includes(invoiceNumber ?? ''));
  const moved = made.filter(({ state: shown }) => shown !== 'failed' && shown !== 'cancelled');
  if (moved.length > 1) violate('money moved twice', `${moved.length} refunds were made for it`);
  const shown = made.at(-1)?.state ?? 'declined';
  if (shown !== state.status)
    violate('told against the books', `it is told ${state.status}, the books say ${shown}`);
  for (const command of stage.rows.commands.values()) {
    if (command.subjectId === id && !isFinal(command))
      violate('stuck', `${command.id} is ${command.status} for ever`);
  }
}
