import { type InjectedSinks, type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import { uninterrupted } from '#worker/process/uninterrupted.js';
import { replayDataConverter } from '#payload-codec';
import { historyKeys } from '../histories/history-key.js';
import { type Form, type HistoryName, storedHistory } from '../histories/stored-histories.js';

/** Where a run stands whose stored history has been replayed to its end. */
export interface Standing {
  readonly status: string;
  /** Of a step that is not finished, as `captureAuthorization doubt`. */
  readonly step?: string;
}

export interface Replayed {
  readonly errors: ReadonlyMap<string, Error>;
  readonly standings: ReadonlyMap<string, Standing>;
}

/** Replays them all by this code, with the engine's own data converter or the default one. */
export async function replayAll(code: string, form: Form, names: readonly HistoryName[]): Promise<Replayed> {
  const errors = new Map<string, Error>();
  const standings = new Map<string, Standing>();
  const histories = names.map((name) => ({ workflowId: name, history: storedHistory(name, form) }));
  const options = { ...optionsFor(tellingWhereItStands(code), form), sinks: sinksInto(standings) };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
    if (error) errors.set(workflowId, error);
  }
  return { errors, standings };
}

/** @throws {DeterminismViolationError} when code like this would not go on as the stored run did. */
export async function replay(code: string, name: HistoryName, form: Form = 'encrypted'): Promise<void> {
  await Worker.runReplayHistory(optionsFor(code, form), storedHistory(name, form), name);
}

function optionsFor(code: string, form: Form): ReplayWorkerOptions {
  return {
    workflowBundle: { code },
    ...uninterrupted,
    ...(form === 'encrypted' && { dataConverter: replayDataConverter(historyKeys) }),
  };
}

interface StandingSinks extends Sinks {
  readonly standings: { tell(standing: Standing): void };
}

function sinksInto(standings: Map<string, Standing>): InjectedSinks<StandingSinks> {
  const fn = ({ workflowId }: { readonly workflowId: string }, standing: Standing): void => {
    standings.set(workflowId, standing);
  };
  return { standings: { tell: { fn, callDuringReplay: true } } };
}

/**
 * The same code, telling before each wait, and at its end, where it stands. A history holds no state, only what led to it;
 * and a sink leaves no trace there.
 */
function tellingWhereItStands(code: string): string {
  const workflow = '_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__';
  const stands = `(0,${workflow}.setCurrentDetails)(this.parts.describe(this.state));`;
  if (code.split(stands).length !== 3) throw new Error(`not twice: ${stands}`);
  const sinks = `(0,${workflow}.proxySinks)().standings`;
  const open = 'const { status, openStep } = this.state;';
  const step = "openStep && { step: openStep.step.type + ' ' + openStep.phase }";
  return code.replaceAll(stands, `${stands}{${open}${sinks}.tell({ status, ...(${step}) });}`);
}
