import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import {
  type RefundRequestResult,
  type RefundWithTimeline,
  acceptRefund,
  type PaymentWithRefunds,
} from '#database/subjects';
import type { CommandRow, RefundRow } from '#database/schema';
import { looksPerRun, refundRunStart } from '#runs';
import { type RunStart, refundCommandId } from '#workflows/contract';
import { collectedBy, type RefundState, requestedRefund, evaluateRequest } from '#workflows/lifecycle/refund';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { askedCommand, requesterOf } from '../commands/asked-command.js';
import { withDecline } from '../commands/declines.js';
import { assertSameOrder, bodyHash } from '../commands/idempotency.js';
import { newId } from '../wire/ids.js';
import { expectedVersions } from '../commands/if-match.js';
import { Starting } from '../commands/starting.js';
import { databaseToken } from '../injected/database-token.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { problemOfOutcome, problemOfRequest } from './refund-problems.js';
import { type RefundRequest, askedFor, textsOf } from './refund-requests.js';
import { RefundRows } from '../rows/refund-rows.js';

/** Accepts a refund request: writes its row, starts its run and answers. */
@Injectable()
export class RequestRefund {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Starting) private readonly starting: Starting,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the refund when the provider has answered, or when the wait has ended.
   * @throws {Problem} 402 for a refund that the provider did not make, 404, 409, 422.
   * @throws {TemporalAwayError} if the run may not have started; repeating the same request starts it.
   */
  async request(
    caller: Caller,
    paymentId: string,
    idempotencyKey: string,
    request: RefundRequest,
  ): Promise<RefundRow & RefundWithTimeline> {
    const payment = await this.payments.get(caller, paymentId);
    const command = await this.accept(caller, payment, idempotencyKey, request);
    const accepted = await this.refunds.getOrdered(caller, command.subject_id);
    const refund = await this.starting.begin(accepted, {
      run: () => runOf(caller, accepted),
      read: () => this.refunds.get(caller, accepted.id),
      isAnswered: ({ status }) => status !== 'requesting',
      orderedBy: {
        kind: 'refund',
        commandId: command.id,
        idempotencyKey,
        bodyHash: command.body_hash,
        requestedBy: requesterOf(caller),
      },
    });
    const problem = problemOfOutcome(refund);
    if (problem) throw await withDecline(this.db, problem, refund.id);
    return refund;
  }

  private async accept(
    caller: Caller,
    payment: PaymentWithRefunds,
    idempotencyKey: string,
    request: RefundRequest,
  ): Promise<CommandRow> {
    const now = Date.now();
    const { id: paymentId } = payment;
    const refundId = newId('refund', now);
    const asked = {
      kind: 'refund' as const,
      // The same body for another payment is another request.
      bodyHash: bodyHash({ paymentId, ...request }),
    };
    const command = askedCommand(caller, {
      ...asked,
      id: refundCommandId(refundId),
      idempotencyKey,
      subjectId: refundId,
      parameters: { paymentId, ...request },
    });
    const accepted = await acceptRefund(
      this.db,
      command,
      paymentId,
      (state, refunds, mayMiss) =>
        this.evaluate(
          command.id,
          request,
          { ...payment, state, status: state.status },
          { refunds, mayMiss },
          now,
        ),
      expectedVersions(),
    );
    assertSameOrder(accepted, command);
    return accepted;
  }

  private evaluate(
    commandId: string,
    request: RefundRequest,
    payment: Pick<PaymentWithRefunds, 'id' | 'status' | 'state'>,
    { refunds, mayMiss }: { readonly refunds: readonly RefundState[]; readonly mayMiss: boolean },
    now: number,
  ): RefundRequestResult {
    const { order, providerPaymentId } = payment.state;
    const asked = evaluateRequest(
      askedFor(request),
      collectedBy(payment.state),
      refunds,
      order.amount.currency,
    );
    const result = asked.kind === 'granted' && mayMiss ? notSearchedYet : asked;
    if (result.kind === 'refused') {
      return { refusal: { problem: problemOfRequest(result.refusal, request, payment, refunds).kept() } };
    }
    const { collected, amount } = result;
    const claim = {
      kind: 'request',
      collected,
      amount,
      providerPaymentId: providerPaymentId ?? '',
      ...textsOf(request),
    } as const;
    const { paymentId } = order;
    const state = requestedRefund(claim, { paymentId, commandId }, this.config.patience, now);
    return { state, metadata: request.metadata };
  }
}

const notSearchedYet = {
  kind: 'refused',
  refusal: {
    kind: 'conflict',
    code: 'refundable_amount_unknown',
    reason:
      'Refunds may have been lost in a restore of the database, and are searched at the provider. Ask again later, under a new key.',
  },
} as const;

function runOf({ environment, application }: Caller, { id: refundId, state }: RefundRow): RunStart {
  const { claim, paymentId, patience } = state;
  const identity = { environment, application, refundId };
  return refundRunStart({ identity, claim, paymentId, patience, looksPerRun });
}
