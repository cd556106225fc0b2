import { measured, measuredRatio, rounded, type Measured } from '../harness/statistics.js';
import type { AckFigures } from './measure-acks.js';
import type { DispatchFigures } from './measure-dispatch.js';
import type { OpenRunFigures } from './measure-open-runs.js';
import type { SignalDelays } from './measure-signal-delay.js';

export interface WebhookFigures {
  readonly acks: AckFigures;
  readonly dispatch: DispatchFigures;
  readonly delays: SignalDelays;
  readonly openRuns: OpenRunFigures;
}

/** What webhooks and open runs are measured for; each with its spread over the rounds. */
export interface WebhookSummary {
  /** Acknowledged deliveries a second over bare Fastify's with one INSERT: signatures checked. */
  readonly webhookVsBareInsert: Measured;
  /** The same where the secret in the address is the proof. */
  readonly webhookVsBareInsertAddressSecret: Measured;
  /** The same with signatures, counted when each event is dispatched as well. */
  readonly webhookDispatchedVsBareInsert: Measured;
  /** The same by the processor time of server and PostgreSQL, the rival's over ours. */
  readonly webhookProcessorTimeVsBareInsert?: Measured;
  readonly acksPerSecond: { readonly [side in 'bare' | 'signature' | 'addressSecret']: Measured };
  /** Journaled events brought to their runs a second over bare signals. */
  readonly dispatchVsBareSignal: Measured;
  readonly dispatchedPerSecond: Measured;
  readonly signalsPerSecond: Measured;
  /** From the commit of an event to the signal's acceptance, in milliseconds. */
  readonly webhookCommitToSignalledMs: { readonly p50: Measured; readonly p99: Measured };
  /** p50 of a lifecycle beside many open runs over that beside few. */
  readonly openRunsLatencyGrowth: Measured;
  readonly lifecycleMsBesideOpenRuns: { readonly few: Measured; readonly many: Measured };
  /** Of API and worker. */
  readonly residentMiBBesideOpenRuns: OpenRunFigures['residentMiB'];
  readonly openRuns: number;
  readonly openRunsMadeInSeconds: number;
}

export function summarizeWebhooks({ acks, dispatch, delays, openRuns }: WebhookFigures): WebhookSummary {
  const delay = (share: number): Measured =>
    rounded(
      { ...measured(delays.map((round) => quantile(round, share))), value: quantile(delays.flat(), share) },
      1,
    );
  return {
    webhookVsBareInsert: rounded(measuredRatio(acks.signature, acks.bare)),
    webhookVsBareInsertAddressSecret: rounded(measuredRatio(acks.addressSecret, acks.bare)),
    webhookDispatchedVsBareInsert: rounded(measuredRatio(acks.settled, acks.bare)),
    ...(acks.signatureMs.length > 0 && {
      webhookProcessorTimeVsBareInsert: rounded(measuredRatio(acks.bareMs, acks.signatureMs)),
    }),
    acksPerSecond: {
      bare: rounded(measured(acks.bare), 0),
      signature: rounded(measured(acks.signature), 0),
      addressSecret: rounded(measured(acks.addressSecret), 0),
    },
    dispatchVsBareSignal: rounded(measuredRatio(dispatch.dispatched, dispatch.signalled)),
    dispatchedPerSecond: rounded(measured(dispatch.dispatched), 0),
    signalsPerSecond: rounded(measured(dispatch.signalled), 0),
    webhookCommitToSignalledMs: { p50: delay(0.5), p99: delay(0.99) },
    openRunsLatencyGrowth: rounded(measuredRatio(openRuns.many, openRuns.few)),
    lifecycleMsBesideOpenRuns: {
      few: rounded(measured(openRuns.few), 1),
      many: rounded(measured(openRuns.many), 1),
    },
    residentMiBBesideOpenRuns: openRuns.residentMiB,
    openRuns: openRuns.openRuns,
    openRunsMadeInSeconds: openRuns.madeInSeconds,
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
