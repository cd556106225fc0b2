import { Inject, Injectable } from '@nestjs/common';
import { listCallFacts } from '#database/calls';
import { listAttempts, listDecisions } from '#database/commands';
import type { Database } from '#database/connection';
import type { LifecycleState } from '#workflows/lifecycle';
import { type OpenStep, type StepOf, possibleStepDecisions } from '#workflows/lifecycle/step';
import { databaseToken } from '../injected/database-token.js';
import type { ShownEvidence, ShownStepReview } from './evidence-answers.js';
import { viewEvidence } from './evidence-view.js';

interface UnderReview extends LifecycleState {
  readonly openStep?: OpenStep<StepOf>;
}

/** Reads the evidence on which an operator decides a step with an unknown outcome. */
@Injectable()
export class Evidence {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  /** For a review with one possible reason: the outcome of the step is unknown. */
  async ofStep(subjectId: string, state: UnderReview): Promise<ShownStepReview> {
    return {
      reason: state.reason ?? null,
      possibleDecisions: [...possibleStepDecisions(state)],
      ...(await this.of(subjectId, state)),
    };
  }

  async of(subjectId: string, { openStep }: UnderReview): Promise<ShownEvidence> {
    const [attempts, calls, decisions] = await Promise.all([
      listAttempts(this.db, subjectId),
      listCallFacts(this.db, subjectId),
      listDecisions(this.db, subjectId),
    ]);
    return viewEvidence(openStep, { attempts, calls, decisions });
  }
}
