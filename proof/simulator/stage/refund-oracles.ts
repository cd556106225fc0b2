import { type RefundState, isRefundTerminal } from '#workflows/lifecycle/refund';
import type { Stage } from './stage.js';
import { isFinal } from './payment-oracles.js';

/** A given-up refund may be found later; this proof legitimately changes its end. */
const proofs: readonly string[] = ['refundCameToLight'];

export function watchRefunds({ watch, world }: Pick<Stage, 'watch' | 'world'>): void {
  watch({
    subjectChanged: (before, after, timeline) => {
      if (before?.kind !== 'refund' || !isRefundTerminal((before.state as RefundState).status)) return;
      if (after.status === before.status || timeline.some(({ event }) => proofs.includes(event))) return;
      world.violate('final undone', `${after.id} was told ${before.status}, and is ${after.status} now`);
    },
    commandChanged: () => undefined,
  });
}

/** Compares the shown refund with the provider's books, once everything is at rest. */
export function judgeRefund(stage: Stage, id: string): void {
  const { state } = stage.row<RefundState>(id);
  const violate = (oracle: string, words: string) => stage.world.violate(oracle, `${id}: ${words}`);
  const run = stage.server.runs.get(stage.workflowId(id));
  if (!isRefundTerminal(state.status))
    return violate('stuck', `it is ${state.status} for ever (${state.reason ?? 'no reason'})`);
  if (!run?.ended) return violate('stuck', `it is ${state.status}, and its run goes on for ever`);
  if (state.claim.kind !== 'request') return judgeClaim(stage, state, violate);
  const references = stage.rows.attempts
    .filter(({ subject_id }) => subject_id === id)
    .map(({ reference }) => reference);
  const made = [...stage.provider.payments.payments.values()]
    .flatMap(({ refunds }) => refunds)
    .filter(({ invoiceNumber }) => references.includes(invoiceNumber ?? ''));
  const moved = made.filter(({ state: shown }) => shown !== 'failed' && shown !== 'cancelled');
  if (moved.length > 1) violate('money moved twice', `${moved.length} refunds were made for it`);
  // Refused, or given up because the provider could not be brought to answer.
  const told: readonly string[] = made.length > 0 ? made.map((each) => each.state) : ['declined', 'failed'];
  if (!told.includes(state.status))
    violate('told against the books', `it is told ${state.status}, the books say ${told.join(' or ')}`);
  for (const command of stage.rows.commands.values()) {
    if (command.subjectId === id && !isFinal(command))
      violate('stuck', `${command.id} is ${command.status} for ever`);
  }
}

/** Refunds made elsewhere: like in the books, and never more than went back. */
function judgeClaim(
  { provider, rows }: Stage,
  { claim, status, amount }: RefundState,
  violate: (oracle: string, words: string) => void,
): void {
  const booked = [...provider.payments.payments.values()];
  if (claim.kind === 'refund') {
    const made = booked.flatMap(({ refunds }) => refunds).find(({ id }) => id === claim.providerRefundId);
    // One of our own, whose answer came later than its event, is not told a second time.
    const isOurs = rows.attempts.some(({ reference }) => reference === made?.invoiceNumber);
    if (isOurs ? status !== 'unfounded' : status !== (made?.state ?? 'unfounded'))
      violate('told against the books', `it is told ${status}, the books say ${made?.state ?? 'nothing'}`);
    return;
  }
  if (claim.kind !== 'reversal') return;
  const taken = booked
    .flatMap(({ reversals }) => reversals)
    .filter(({ collectedId }) => collectedId === claim.collected.id)
    .reduce((sum, { minor }) => sum + minor, 0);
  const told = status === 'completed' ? (amount?.minor ?? 0) : 0;
  if ((status === 'unfounded') !== (taken === 0) || told > taken)
    violate('told against the books', `${told} are told to be charged back (${status}), of ${taken}`);
}
