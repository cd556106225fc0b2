import type { CallFacts } from '#database/calls';
import type { AttemptRow, CommandRow } from '#database/schema';
import type { OpenStep, StepOf } from '#workflows/lifecycle/step';
import type { ShownEvidence } from './evidence-answers.js';

export interface Evidence {
  readonly attempts: readonly AttemptRow[];
  readonly calls: readonly CallFacts[];
  readonly decisions: readonly CommandRow[];
}

/** Facts only: no body of a request or an answer. */
export function viewEvidence(
  openStep: OpenStep<StepOf> | undefined,
  { attempts, calls, decisions }: Evidence,
): ShownEvidence {
  const references = new Map(attempts.map(({ request_id, reference }) => [request_id, reference]));
  return {
    step: showStep(openStep),
    attempts: attempts.map(showAttempt),
    calls: calls.map((call) => showCall(call, references)),
    decisions: decisions.map(showDecision),
  };
}

function showStep(openStep: OpenStep<StepOf> | undefined): ShownEvidence['step'] {
  if (!openStep) return null;
  const { step, phase, looks, since, horizonAt, nextAt } = openStep;
  return {
    operation: step.type,
    phase,
    looks,
    inDoubtSince: new Date(since).toISOString(),
    horizonAt: new Date(horizonAt).toISOString(),
    nextLookAt: new Date(nextAt).toISOString(),
  };
}

function showAttempt(attempt: AttemptRow): ShownEvidence['attempts'][number] {
  return {
    operation: attempt.step.type,
    number: attempt.attempt_number,
    requestId: attempt.request_id,
    reference: attempt.reference,
    begunAt: attempt.begun_at.toISOString(),
    sendBy: attempt.send_by.toISOString(),
    outcome: attempt.outcome,
    settledAt: attempt.settled_at?.toISOString() ?? null,
  };
}

function showCall(call: CallFacts, references: ReadonlyMap<string, string>): ShownEvidence['calls'][number] {
  return {
    at: call.started_at.toISOString(),
    operation: call.operation,
    method: call.method,
    path: call.path,
    status: call.status,
    error: call.error,
    debugId: call.debug_id,
    transactionId: call.transaction_id,
    requestId: call.request_id,
    reference: references.get(call.request_id ?? '') ?? null,
    durationMs: call.duration_ms,
  };
}

function showDecision(command: CommandRow): ShownEvidence['decisions'][number] {
  const { decision, reason, resourceId, isUnverified } = command.parameters as {
    readonly decision: ShownEvidence['decisions'][number]['decision'];
    readonly reason: string;
    readonly resourceId?: string;
    readonly isUnverified?: boolean;
  };
  const { code, reason: refusal } = command.result ?? {};
  return {
    id: command.id,
    decision,
    reason,
    resourceId: resourceId ?? null,
    isUnverified: isUnverified ?? false,
    decidedBy: command.requested_by,
    at: command.created_at.toISOString(),
    status: command.status,
    refusal: code === undefined ? null : { code, reason: refusal ?? '' },
  };
}
