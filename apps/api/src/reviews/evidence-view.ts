import type { CallFacts } from '#database/calls';
import type { AttemptRow, CommandRow } from '#database/schema';
import type { OpenStep, StepOf } from '#workflows/lifecycle/step';
import { referencesOf, viewCall } from '../wire/provider-call.js';
import type { ShownEvidence } from './evidence-answers.js';

export interface Evidence {
  readonly attempts: readonly AttemptRow[];
  readonly calls: readonly CallFacts[];
  readonly decisions: readonly CommandRow[];
}

/** Contains no request or response bodies. */
export function viewEvidence(
  openStep: OpenStep<StepOf> | undefined,
  { attempts, calls, decisions }: Evidence,
): ShownEvidence {
  const references = referencesOf(attempts);
  return {
    step: showStep(openStep),
    attempts: attempts.map(showAttempt),
    calls: calls.map((call) => viewCall(call, references)),
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
    state: command.status,
    refusal: code === undefined ? null : { code, reason: refusal ?? '' },
  };
}
