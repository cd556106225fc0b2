import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '../../../../libs/database/src/database.js';
import { acceptPlan } from '../../../../libs/database/src/plans.js';
import type { PlanRow } from '../../../../libs/database/src/schema.js';
import { messagesPerRun } from '../../../../libs/runs/src/run-input.js';
import { Runs } from '../../../../libs/runs/src/runs.js';
import { planReference, planRunStart } from '../../../../libs/runs/src/subscription-run-input.js';
import { TemporalAwayError } from '../../../../libs/runs/src/temporal-away-error.js';
import { planCommandId } from '../../../../libs/workflows/src/contract/plan.js';
import { orderedPlan } from '../../../../libs/workflows/src/lifecycle/plan/plan.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { Changes } from '../commands/changes.js';
import { assertSameRequest, bodyHash } from '../commands/idempotency.js';
import { newId } from '../commands/ids.js';
import { databaseToken } from '../database-token.js';
import type { PlanOrderRequest } from './plan-requests.js';
import { PlanRows } from './plan-rows.js';

/** Takes an order for a plan: row, run, answer; or the answer alone, where there is such a plan. */
@Injectable()
export class OrderPlan {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(PlanRows) private readonly rows: PlanRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the plan's row as it stands when it is active, or when the waiting is over.
   * @throws {Problem} 409 for a key used otherwise.
   * @throws {TemporalAwayError} when the run may not have started; the same request again starts it.
   */
  async order(caller: Caller, idempotencyKey: string, terms: PlanOrderRequest): Promise<PlanRow> {
    const now = Date.now();
    const { environment, application } = caller;
    const planId = newId('plan', now);
    const hash = bodyHash(terms);
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
    // Version 0: nobody knows whether the run was ever started. Starting it twice is harmless, not at all is not.
    if (accepted.version === 0) await this.startRun(accepted);
    return await this.changes.until(accepted.id, this.config.answerWithinMs, {
      look: () => this.rows.get(caller, accepted.id),
      satisfies: ({ status }) => status !== 'creating' && status !== 'activating',
      known: accepted,
    });
  }

  private async startRun(row: PlanRow): Promise<void> {
    const { environment, application, id: planId } = row;
    try {
      await this.runs.start(
        planRunStart({
          identity: { environment, application, planId },
          order: row.state.order,
          reference: planReference(this.config.publicUrl, planId),
          messagesPerRun,
        }),
      );
    } catch (error) {
      // Temporal's answer may be lost and the run started all the same: its first row proves that.
      const isProved = error instanceof TemporalAwayError && (await this.rows.get(row, planId)).version > 0;
      if (!isProved) throw error;
    }
  }
}
