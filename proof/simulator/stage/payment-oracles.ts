import { type CaptureStatus, amountsOf, type PaymentState, isTerminal } from '#workflows/lifecycle/payment';
import type { BookedPayment } from '../provider/booked-payment.js';
import type { CommandRow, SubjectRow } from '../rows/row-types.js';
import type { Stage } from './stage.js';

/** Compares everything that a caller could see of payments with what is shown later. */
export function watchPayments(stage: Stage): void {
  const { world } = stage;
  stage.watch({
    subjectChanged: (before, after) => {
      if (before?.kind !== 'payment') return;
      const undone = undoneOf(stateOf(before), stateOf(after));
      if (undone) world.violate('final undone', `${after.id}: ${undone}`);
      if (!isTerminal(stateOf(before).status)) return;
      if (after.status !== before.status) {
        world.violate('final undone', `${after.id} was told ${before.status}, and is ${after.status} now`);
        return;
      }
      const [told, now] = [amountsOf(stateOf(before)), amountsOf(stateOf(after))];
      if (told.captured !== now.captured || told.released !== now.released) {
        const words = `${after.id} was told ${before.status} with ${told.captured} captured, and ${now.captured} now`;
        world.violate('final undone', words);
      }
    },
    commandChanged: (before, after) => {
      if (before?.status === 'accepted' && isRefusedWithoutReason(stage, after)) {
        world.violate(
          'refused without reason',
          `${after.kind} ${after.id}: the rows let it through, and nothing came between`,
        );
      }
      if (!before || !isFinal(before) || before.status === after.status) return;
      world.violate(
        'final undone',
        `${after.kind} ${after.id} was told ${before.status}, and ${after.status} now`,
      );
    },
  });
}

/** What was told as final of a collected amount, and is told otherwise now; in words. */
function undoneOf(before: PaymentState, after: PaymentState): string | undefined {
  const now = collectedBy(after);
  for (const [id, told] of collectedBy(before)) {
    const state = now.get(id);
    if (told !== 'pending' && state !== told)
      return `${id} was told ${told}, and is ${state ?? 'not there'} now`;
  }
  return undefined;
}

function collectedBy({ captures, sale }: PaymentState): ReadonlyMap<string, CaptureStatus> {
  return new Map([
    ...captures.map(({ captureId, status }): [string, CaptureStatus] => [captureId, status]),
    ...(sale ? [[sale.saleId, sale.status] as [string, CaptureStatus]] : []),
  ]);
}

/** Asked of a hold that was told, that is there, and of which nobody asked anything else. */
function isRefusedWithoutReason({ rows, provider }: Stage, command: CommandRow): boolean {
  if (command.status !== 'refused' || command.result?.code !== 'not_allowed_in_state') return false;
  if (command.kind !== 'capture' && command.kind !== 'void') return false;
  const ofIt = [...rows.commands.values()].filter(({ subjectId }) => subjectId === command.subjectId);
  const isAlone = ofIt.every(({ id, kind }) => id === command.id || kind === 'create');
  const hold = provider.payments.of(command.subjectId)[0]?.holds.at(-1);
  return isAlone && hold?.state === 'authorized';
}

/** Compares the shown payment with the provider's books, once everything is at rest. */
export function judgePayment(stage: Stage, id: string): void {
  const row = stage.row<PaymentState>(id);
  const booked = stage.provider.payments.of(id).filter(({ isExecuted }) => isExecuted);
  const violate = (oracle: string, words: string) => stage.world.violate(oracle, `${id}: ${words}`);
  if (booked.length > 1)
    violate('money moved twice', `${booked.length} payments were executed for one order`);
  const run = stage.server.runs.get(stage.workflowId(id));
  const { status } = row.state;
  if (!isTerminal(status))
    return violate('stuck', `it is ${status} for ever${row.state.reason ? ` (${row.state.reason})` : ''}`);
  if (!run?.ended) violate('stuck', `it is ${status}, and its run goes on for ever`);
  else if (run.ended.failure === undefined) judgeResult(run.ended.result, row, violate);
  for (const payment of booked) judgeBooks(payment, row, violate);
  if (booked.length === 0 && ['captured', 'voided', 'completed'].includes(status)) {
    violate('told against the books', `it is told ${status}, and the books know nothing of it`);
  }
}

type Violate = (oracle: string, words: string) => void;

function judgeResult(result: unknown, { status }: SubjectRow, violate: Violate): void {
  const ended = (result as { readonly status?: string }).status;
  if (ended !== status) violate('run and rows differ', `its run ended ${ended}, its row says ${status}`);
}

function judgeBooks(
  payment: BookedPayment,
  { state }: { readonly state: PaymentState },
  violate: Violate,
): void {
  const { status } = state;
  const hold = payment.holds.at(-1);
  const there = [...payment.captures, ...(payment.sale ? [payment.sale] : [])]
    .filter((each) => ['completed', 'partially_refunded', 'refunded'].includes(each.state))
    .reduce((sum, { minor }) => sum + minor, 0);
  const { captured } = amountsOf(state);
  if (there !== captured)
    violate('told against the books', `it is ${status} with ${captured}, the books say ${there}`);
  const isDenied = hold?.state === 'denied' && status === 'declined';
  if (hold && !state.authorization && !isDenied)
    violate('hold forgotten', `it is ${status}, and ${hold.id} was held all the same`);
  if (!hold || !state.authorization) return;
  const ends: Partial<Record<PaymentState['status'], readonly string[]>> = {
    voided: ['voided'],
    expired: ['expired'],
    captured: ['captured', 'voided', 'expired'],
    declined: ['denied'],
  };
  if (!(ends[status] ?? []).includes(hold.state)) {
    violate('hold forgotten', `it is ${status}, and the hold is ${hold.state}`);
  }
}

export function isFinal({ status }: Pick<CommandRow, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'refused';
}

function stateOf(row: SubjectRow): PaymentState {
  return row.state as PaymentState;
}
