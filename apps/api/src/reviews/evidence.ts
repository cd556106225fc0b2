import { Inject, Injectable } from '@nestjs/common';
import { listCallFacts } from '#database/api-calls.js';
import { listAttempts } from '#database/attempts.js';
import { listDecisions } from '#database/commands.js';
import type { Database } from '#database/database.js';
import type { LifecycleState } from '#workflows/lifecycle/lifecycle.js';
import type { OpenStep, StepOf } from '#workflows/lifecycle/step/open-step.js';
import { possibleStepDecisions } from '#workflows/lifecycle/step/review.js';
import { databaseToken } from '../database-token.js';
import type { ShownEvidence, ShownStepReview } from './evidence-answers.js';
import { viewEvidence } from './evidence-view.js';

interface UnderReview extends LifecycleState {
  readonly openStep?: OpenStep<StepOf>;
}

/** What an operator decides on, where the provider has not proved what became of a step. */
@Injectable()
export class Evidence {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  /** Of what is under review for one reason only: nobody can prove whether its step happened. */
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
