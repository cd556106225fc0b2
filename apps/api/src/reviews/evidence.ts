import { Inject, Injectable } from '@nestjs/common';
import { listCallFacts } from '#database/calls';
import { listAttempts, listDecisions } from '#database/commands';
import { type Database, atOneInstant } from '#database/connection';
import { type SubjectRecords, findPosition } from '#database/transitions';
import type { Subject } from '#workflows/contract';
import type { LifecycleState } from '#workflows/lifecycle';
import { type OpenStep, type StepOf, possibleStepDecisions } from '#workflows/lifecycle/step';
import { databaseToken } from '../injected/database-token.js';
import type { ShownEvidence, ShownStepReview } from './evidence-answers.js';
import { viewEvidence } from './evidence-view.js';

interface UnderReview extends LifecycleState {
  readonly openStep?: OpenStep<StepOf>;
}

/** A subject under review, and the evidence about it. */
export interface Review<State> {
  readonly state: State;
  readonly evidence: ShownEvidence;
}

/** Reads the evidence on which an operator decides a step with an unknown outcome. */
@Injectable()
export class Evidence {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  /** For a review with one possible reason: the outcome of the step is unknown. */
  async ofStep<State extends UnderReview>(
    records: SubjectRecords<State>,
    subject: Subject,
  ): Promise<{ readonly status: State['status']; readonly review: ShownStepReview }> {
    const { state, evidence } = await this.of(records, subject);
    const { status, reason = null } = state;
    return { status, review: { reason, possibleDecisions: [...possibleStepDecisions(state)], ...evidence } };
  }

  /** All of one instant, because an operator decides on it: an attempt must not be shown open beside its outcome. */
  async of<State extends UnderReview>(
    records: SubjectRecords<State>,
    subject: Subject,
  ): Promise<Review<State>> {
    return await atOneInstant(this.db, async (instant) => {
      const position = await findPosition(instant, records, subject);
      if (!position) throw new TypeError('a subject that was found has no row');
      const attempts = await listAttempts(instant, subject.id);
      const calls = await listCallFacts(instant, subject.id);
      const decisions = await listDecisions(instant, subject.id);
      const { state } = position;
      return { state, evidence: viewEvidence(state.openStep, { attempts, calls, decisions }) };
    });
  }
}
