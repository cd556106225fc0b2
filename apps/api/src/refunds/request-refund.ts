import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '../../../../libs/database/src/database.js';
import { type RefundVerdict, acceptRefund } from '../../../../libs/database/src/refunds.js';
import type { CommandRow, RefundRow } from '../../../../libs/database/src/schema.js';
import type { RefundWithStory } from '../../../../libs/database/src/payments.js';
import { looksPerRun, refundRunStart } from '../../../../libs/runs/src/run-input.js';
import { Runs } from '../../../../libs/runs/src/runs.js';
import { TemporalAwayError } from '../../../../libs/runs/src/temporal-away-error.js';
import { refundCommandId } from '../../../../libs/workflows/src/contract/refund.js';
import { collectedBy } from '../../../../libs/workflows/src/lifecycle/refund/collected-by.js';
import type { PaymentState } from '../../../../libs/workflows/src/lifecycle/payment/payment.js';
import { type RefundState, requestedRefund } from '../../../../libs/workflows/src/lifecycle/refund/refund.js';
import {
  type RequestRefusal,
  judgeRequest,
} from '../../../../libs/workflows/src/lifecycle/refund/refundable.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { Changes } from '../commands/changes.js';
import { assertSameRequest, bodyHash } from '../commands/idempotency.js';
import { newId } from '../commands/ids.js';
import { databaseToken } from '../database-token.js';
import { PaymentRows } from '../payments/payment-rows.js';
import { problemOfOutcome, problemOfRequest } from './refund-problems.js';
import { type RefundRequest, askedFor } from './refund-requests.js';
import { RefundRows } from './refund-rows.js';

/** Takes a request to give money back: row, run, answer. */
@Injectable()
export class RequestRefund {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the refund as it stands when the provider has answered, or when the waiting is over.
   * @throws {Problem} 402 for one that the provider has not made, 404, 409, 422.
   * @throws {TemporalAwayError} when the run may not have started; the same request again starts it.
   */
  async request(
    caller: Caller,
    paymentId: string,
    idempotencyKey: string,
    request: RefundRequest,
  ): Promise<RefundRow & RefundWithStory> {
    const payment = await this.payments.get(caller, paymentId);
    const command = await this.accept(caller, payment.id, idempotencyKey, request);
    const accepted = await this.refunds.get(caller, command.subject_id);
    // Version 0: nobody knows whether the run was ever started. Starting it twice is harmless, not at all is not.
    if (accepted.version === 0) await this.startRun(caller, accepted);
    const refund = await this.changes.until(accepted.id, this.config.answerWithinMs, {
      look: () => this.refunds.get(caller, accepted.id),
      satisfies: ({ status }) => status !== 'requesting',
      known: accepted,
    });
    const problem = problemOfOutcome(refund);
    if (problem) throw problem;
    return refund;
  }

  private async accept(
    caller: Caller,
    paymentId: string,
    idempotencyKey: string,
    request: RefundRequest,
  ): Promise<CommandRow> {
    const now = Date.now();
    const { environment, application } = caller;
    const refundId = newId('refund', now);
    const asked = {
      kind: 'refund' as const,
      // Of another payment it is another request.
      bodyHash: bodyHash({ paymentId, ...request }),
    };
    const command = {
      ...asked,
      id: refundCommandId(refundId),
      environment,
      application,
      idempotencyKey,
      subjectId: refundId,
      parameters: { paymentId, ...request },
      requestedBy: `api-key:${caller.keyId}`,
    };
    const accepted = await acceptRefund(this.db, command, paymentId, (payment, refunds) =>
      this.judge(command.id, request, payment, refunds, now),
    );
    if ('refusal' in accepted) throw problemOfRequest(accepted.refusal, request);
    assertSameRequest(accepted.row, asked);
    return accepted.row;
  }

  private judge(
    commandId: string,
    request: RefundRequest,
    payment: PaymentState,
    refunds: readonly RefundState[],
    now: number,
  ): RefundVerdict<RequestRefusal> {
    const { currency } = payment.order.amount;
    const verdict = judgeRequest(askedFor(request), collectedBy(payment), refunds, currency);
    if (verdict.kind === 'refused') return { refusal: verdict.refusal };
    const { collected, amount } = verdict;
    const claim = {
      kind: 'request',
      collected,
      amount,
      providerPaymentId: payment.providerPaymentId ?? '',
    } as const;
    const { paymentId } = payment.order;
    return { state: requestedRefund(claim, { paymentId, commandId }, this.config.patience, now) };
  }

  private async startRun(caller: Caller, { id: refundId, state }: RefundRow): Promise<void> {
    const { environment, application } = caller;
    const { claim, paymentId, patience } = state;
    try {
      await this.runs.start(
        refundRunStart({
          identity: { environment, application, refundId },
          claim,
          paymentId,
          patience,
          looksPerRun,
        }),
      );
    } catch (error) {
      // Temporal's answer may be lost and the run started all the same: its first row proves that.
      const isProved =
        error instanceof TemporalAwayError && (await this.refunds.get(caller, refundId)).version > 0;
      if (!isProved) throw error;
    }
  }
}
