import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type PlanView, acceptPlan } from '#database/subjects';
import { withoutEmails } from '#database/text';
import { messagesPerRun, planReference, planRunStart } from '#runs';
import { type RunStart, planCommandId } from '#workflows/contract';
import { orderedPlan } from '#workflows/lifecycle/plan';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { askedCommand, requesterOf } from '../commands/asked-command.js';
import { assertSameRequest, bodyHash } from '../commands/idempotency.js';
import { newId } from '../wire/ids.js';
import { Starting } from '../commands/starting.js';
import { databaseToken } from '../injected/database-token.js';
import type { PlanOrderRequest } from './plan-requests.js';
import { PlanRows } from '../rows/plan-rows.js';

/**
 * Accepts an order for a plan: writes its row, starts its run and answers. If an equal plan exists, it only answers.
 */
@Injectable()
export class OrderPlan {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Starting) private readonly starting: Starting,
    @Inject(PlanRows) private readonly rows: PlanRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the plan's row when it is active, or when the wait has ended.
   * @throws {Problem} 409 for a key that was used for another request.
   * @throws {TemporalAwayError} if the run may not have started; repeating the same request starts it.
   */
  async order(caller: Caller, idempotencyKey: string, request: PlanOrderRequest): Promise<PlanView> {
    const terms = storableTerms(request);
    const now = Date.now();
    const planId = newId('plan', now);
    const hash = bodyHash(request);
    const asked = askedCommand(caller, {
      id: planCommandId(planId),
      idempotencyKey,
      bodyHash: hash,
      kind: 'create',
      subjectId: planId,
      parameters: { name: terms.name },
    });
    const command = await acceptPlan(this.db, asked, {
      contentHash: hash,
      state: orderedPlan({ planId, terms, patience: this.config.patience }, now),
    });
    const { id, kind, bodyHash: asHashed } = asked;
    assertSameRequest(command, { id, kind, bodyHash: asHashed });
    const accepted = await this.rows.getOrdered(caller, command.subject_id);
    return await this.starting.begin(accepted, {
      run: () => this.runOf(accepted),
      read: () => this.rows.get(caller, accepted.id),
      isAnswered: ({ status }) => status !== 'creating' && status !== 'activating',
      orderedBy: {
        kind: 'create',
        commandId: command.id,
        idempotencyKey,
        bodyHash: hash,
        requestedBy: requesterOf(caller),
      },
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

/** The terms with e-mail addresses masked in free texts. */
function storableTerms(terms: PlanOrderRequest): PlanOrderRequest {
  const { name, description, phases } = terms;
  return {
    ...terms,
    name: withoutEmails(name),
    description: withoutEmails(description),
    phases: phases.map((phase) => ({ ...phase, name: withoutEmails(phase.name) })),
  };
}
