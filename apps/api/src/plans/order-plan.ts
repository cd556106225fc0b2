import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type PlanView, acceptPlan } from '#database/subjects';
import { withoutEmails } from '#database/text';
import { messagesPerRun, planReference, planRunStart } from '#runs';
import { type RunStart, planCommandId } from '#workflows/contract';
import { orderedPlan } from '#workflows/lifecycle/plan';
import { type ApiConfig, apiConfig } from '../api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { assertSameRequest, bodyHash } from '../commands/idempotency.js';
import { newId } from '../commands/ids.js';
import { Starting } from '../commands/starting.js';
import { databaseToken } from '../database-token.js';
import type { PlanOrderRequest } from './plan-requests.js';
import { PlanRows } from './plan-rows.js';

/** Takes an order for a plan: row, run, answer; or the answer alone, where there is such a plan. */
@Injectable()
export class OrderPlan {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Starting) private readonly starting: Starting,
    @Inject(PlanRows) private readonly rows: PlanRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the plan's row as it stands when it is active, or when the waiting is over.
   * @throws {Problem} 409 for a key used otherwise.
   * @throws {TemporalAwayError} when the run may not have started; the same request again starts it.
   */
  async order(caller: Caller, idempotencyKey: string, request: PlanOrderRequest): Promise<PlanView> {
    const terms = storableTerms(request);
    const now = Date.now();
    const { environment, application } = caller;
    const planId = newId('plan', now);
    const hash = bodyHash(request);
    const command = await acceptPlan(
      this.db,
      {
        id: planCommandId(planId),
        environment,
        application,
        idempotencyKey,
        bodyHash: hash,
        kind: 'create',
        subjectId: planId,
        parameters: { name: terms.name },
        requestedBy: `api-key:${caller.keyId}`,
      },
      {
        contentHash: hash,
        state: orderedPlan({ planId, terms, patience: this.config.patience }, now),
      },
    );
    assertSameRequest(command, { kind: 'create', bodyHash: hash });
    const accepted = await this.rows.get(caller, command.subject_id);
    return await this.starting.begin(accepted, {
      run: () => this.runOf(accepted),
      look: () => this.rows.get(caller, accepted.id),
      isAnswered: ({ status }) => status !== 'creating' && status !== 'activating',
    });
  }

  private runOf({ environment, application, id: planId, state }: PlanView): RunStart {
    return planRunStart({
      identity: { environment, application, planId },
      order: state.order,
      reference: planReference(this.config.publicUrl, planId),
      messagesPerRun,
    });
  }
}

/** Free texts as they may be kept. */
function storableTerms(terms: PlanOrderRequest): PlanOrderRequest {
  const { name, description, phases } = terms;
  return {
    ...terms,
    name: withoutEmails(name),
    description: withoutEmails(description),
    phases: phases.map((phase) => ({ ...phase, name: withoutEmails(phase.name) })),
  };
}
