import { type RefundState, isRefundTerminal } from '#workflows/lifecycle/refund';
import { refundsIn } from '../rows/refunds.js';
import type { Stage } from './stage.js';
import { horizonMs } from '../provider/exchange.js';

/** A given-up refund may be found later; this proof legitimately changes its end. */
const proofs: readonly string[] = ['refundCameToLight'];

export function watchRefunds({ watch, world, provider }: Stage): void {
  watch({
    subjectChanged: (before, after, timeline) => {
      const { claim } = after.state as RefundState;
      if (after.status === 'unfounded' && claim.kind === 'reversal' && before?.status !== after.status) {
        // What lags longer than a horizon nobody has to know. A claim that was made up is unfounded beside a true one.
        const known = world.clock.now - horizonMs;
        if (provider.refunds.chargebackAt(claim.eventId ?? '', known))
          world.violate('told against the books', `${after.id}: it is told unfounded, and was charged back`);
      }
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
  if (state.claim.kind !== 'request') return judgeClaim(stage, { id, state }, violate);
  const references = stage.rows.attempts
    .filter(({ subject_id }) => subject_id === id)
    .map(({ reference }) => reference);
  const made = [...stage.provider.payments.payments.values()]
    .flatMap(({ refunds }) => refunds)
    .filter(({ invoiceNumber }) => references.includes(invoiceNumber ?? ''));
  const moved = made.filter(({ state: shown }) => shown !== 'failed' && shown !== 'cancelled');
  if (moved.length > 1) violate('money moved twice', `${moved.length} refunds were made for it`);
  // Refused, or given up because the provider gave no usable answer.
  const told: readonly string[] = made.length > 0 ? made.map((each) => each.state) : ['declined', 'failed'];
  if (!told.includes(state.status))
    violate('told against the books', `it is told ${state.status}, the books say ${told.join(' or ')}`);
}

/** Refunds made elsewhere: like in the books, and never more than went back. */
function judgeClaim(
  { provider, rows }: Stage,
  { id, state: { claim, status, amount } }: { readonly id: string; readonly state: RefundState },
  violate: (oracle: string, words: string) => void,
): void {
  if (claim.kind === 'refund') {
    const booked = [...provider.payments.payments.values()];
    const made = booked.flatMap(({ refunds }) => refunds).find(({ id }) => id === claim.providerRefundId);
    // One of our own, whose answer came later than its event, is not told a second time.
    const isOurs = rows.attempts.some(({ reference }) => reference === made?.invoiceNumber);
    if (isOurs ? status !== 'unfounded' : status !== (made?.state ?? 'unfounded'))
      violate('told against the books', `it is told ${status}, the books say ${made?.state ?? 'nothing'}`);
    return;
  }
  if (claim.kind !== 'reversal') return;
  if (status === 'completed') judgeEvent(provider, claim, violate);
  const taken = reversalsOf(provider, claim.collected.id);
  // The first one that is known may be told with all that was taken: of others no event may have come.
  const [first] = refundsIn(rows).filter(({ state }) => isReversalOf(state, claim.collected.id));
  const amounts = [...taken, ...(first?.id === id ? [sumOf(taken)] : [])];
  const isRight = amount ? amounts.includes(amount.minor) : taken.length > 0;
  if (status === 'completed' ? !isRight : status !== 'unfounded')
    violate(
      'told against the books',
      `${amount?.minor} is told to be charged back (${status}), of ${taken.join(' + ')}`,
    );
}

function judgeEvent(
  { refunds }: Stage['provider'],
  { eventId = '' }: Extract<RefundState['claim'], { kind: 'reversal' }>,
  violate: (oracle: string, words: string) => void,
): void {
  if (!refunds.chargebackAt(eventId, Infinity))
    violate('told against the books', 'a chargeback is told that somebody has made up');
}

function isReversalOf({ claim, status }: RefundState, collectedId: string): boolean {
  return claim.kind === 'reversal' && claim.collected.id === collectedId && status !== 'unfounded';
}

/** Charged back. */
function reversalsOf({ payments }: Stage['provider'], id: string): number[] {
  return [...payments.payments.values()]
    .flatMap(({ reversals }) => reversals)
    .filter(({ collectedId }) => collectedId === id)
    .map(({ minor }) => minor);
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, minor) => sum + minor, 0);
}
