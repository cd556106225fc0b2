import type { DecidedReview, PaymentEvent } from '#workflows/lifecycle/payment';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import type { Stage, StageWorker } from '../faults/dying-worker.js';
import { until } from '../helpers/until.js';
import { held, liveUntil, promptProvider } from './live-on.js';

const { patience } = promptProvider;
/** Asks a person right after the first look. */
export const impatient = { patience: { ...patience, reviewAfterMs: patience.firstLookMs + 1 } };

export const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 4_000, final: false } as const;

export function decided(asked: Partial<DecidedReview>) {
  return {
    type: 'reviewDecided',
    commandId: `cmd_${JSON.stringify(asked).length}_${asked.decision}`,
    decision: 'happened',
    reason: 'Seen in the dashboard.',
    ...asked,
  } as const;
}

type Fault = Record<string, unknown>;

export const lost: Fault = { operation: 'authorization.capture', kind: 'drop_reply' };
export const failed: Fault = { operation: 'authorization.capture', kind: 'status', status: 500 };
/** Nothing that a capture could be seen by can be read. */
export const blind: readonly Fault[] = ['payment.get', 'capture.get'].map((operation) => {
  return { operation, kind: 'status', status: 503, times: null };
});

/** The provider has lost our reference: the capture is there, and no look can tell whose it is. */
export const referenceLost: Fault = {
  operation: 'payment.get',
  kind: 'reshape',
  remove: ['transactions[0].related_resources[1].capture.invoice_number'],
  times: null,
};

/** Where what is asked of a payment, held where none is given, comes before a person by these faults. */
export async function underReview(
  stage: Stage,
  worker: StageWorker,
  asked: PaymentEvent,
  faults: readonly Fault[],
  from?: Position,
): Promise<Position> {
  const authorized = from ?? (await held(stage, worker));
  for (const fault of faults) await stage.sandbox.fault(fault);
  return await liveUntil(worker, await worker.take(authorized, asked), 'needs_review');
}

export async function commandOf({ db }: Stage, id: string) {
  return await db.selectFrom('commands').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function afterHorizon({ state }: Position): Promise<void> {
  await until(
    async () => Date.now(),
    (now) => now > (state.openStep?.horizonAt ?? 0) + 50,
    'the outcome horizon to pass',
  );
}
