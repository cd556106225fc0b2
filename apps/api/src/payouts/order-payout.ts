import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import type { CommandRow } from '#database/schema';
import {
  type NewPayout,
  type PayoutView,
  type ReferenceOwner,
  acceptPayout,
  insertLostPayout,
} from '#database/subjects';
import { sealText } from '#payload-codec';
import { payoutRunStart, messagesPerRun } from '#runs';
import { type RunStart, payoutOrderCommandId } from '#workflows/contract';
import { orderedPayout } from '#workflows/lifecycle/payout';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { askedCommand, requesterOf } from '../commands/asked-command.js';
import { assertSameOrder, longBodyHash } from '../commands/idempotency.js';
import { newId } from '../wire/ids.js';
import { Starting } from '../commands/starting.js';
import { databaseToken } from '../injected/database-token.js';
import { Problem } from '../problems/problem.js';
import { maskReceiver } from './masked-receiver.js';
import type { PayoutRequest } from './payout-requests.js';
import { PayoutRows } from '../rows/payout-rows.js';
import { subjectAddress } from '../wire/links.js';

/** Accepts an order for a payout batch: writes its rows, starts its run and answers. */
@Injectable()
export class OrderPayout {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Starting) private readonly starting: Starting,
    @Inject(PayoutRows) private readonly rows: PayoutRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the payout's row when the provider has answered, or when the wait has ended.
   * @throws {Problem} 409 for a key that was used for another request, or a reference of another payout.
   * @throws {TemporalAwayError} if the run may not have started; repeating the same request starts it.
   */
  async order(caller: Caller, idempotencyKey: string, request: PayoutRequest): Promise<PayoutView> {
    const accepted = await this.accept(caller, idempotencyKey, request);
    return await this.starting.begin(accepted, {
      run: () => runOf(accepted),
      read: () => this.rows.get(caller, accepted.id),
      isAnswered: ({ status }) => status !== 'creating',
      orderedBy: {
        kind: 'create',
        commandId: payoutOrderCommandId(accepted.id),
        idempotencyKey,
        bodyHash: await longBodyHash(request),
        requestedBy: requesterOf(caller),
        ...(request.reference !== undefined && { reference: request.reference }),
      },
    });
  }

  private async accept(caller: Caller, idempotencyKey: string, request: PayoutRequest): Promise<PayoutView> {
    const now = Date.now();
    const payoutId = newId('payout', now);
    const payout = this.newPayout(payoutId, request, now);
    const hash = await longBodyHash(request);
    const { total, items } = payout.state.order;
    const command = askedCommand(caller, {
      id: payoutOrderCommandId(payoutId),
      idempotencyKey,
      bodyHash: hash,
      kind: 'create',
      subjectId: payoutId,
      parameters: { total, items },
    });
    const accepted = await acceptPayout(this.db, command, payout, (bearer) => ({
      problem: this.duplicateReference(bearer).kept(),
    }));
    assertSameOrder(accepted, command);
    return (
      (await this.rows.find(caller, accepted.subject_id)) ??
      (await this.writeAgain(caller, accepted, request))
    );
  }

  /** The rows were lost when the database was restored; the run still carries the payout (docs/decisions/0033). */
  private async writeAgain(
    caller: Caller,
    { environment, application, subject_id: id, created_at: orderedAt }: CommandRow,
    request: PayoutRequest,
  ): Promise<PayoutView> {
    const subject = { environment, application, id };
    // Not now: a batch is asked for again only while the provider tells a repeat apart, which counts from the order.
    await insertLostPayout(this.db, subject, this.newPayout(id, request, orderedAt.getTime()));
    await this.starting.requestLostRow(subject);
    // Another payout has the reference, if this one was ordered when that one had given it up.
    return await this.rows.getOrdered(caller, id);
  }

  /** A payout with this reference was made, or may have been made. A second batch would pay twice. */
  private duplicateReference({ id, status }: ReferenceOwner): Problem {
    return new Problem('conflict', {
      code: 'duplicate_reference',
      detail: 'The reference belongs to another payout. A new payout needs a new reference.',
      errors: [{ pointer: '/reference', detail: `belongs to ${id}` }],
      ...(status !== undefined && { currentState: status }),
      payoutId: id,
      headers: { location: subjectAddress('payout', id, this.config) },
    });
  }

  /** The stored order: receivers and the texts to them are encrypted. */
  private newPayout(
    payoutId: string,
    { reference, emailSubject, note, metadata, items }: PayoutRequest,
    orderedAt: number,
  ): NewPayout {
    const letters = {
      emailSubject,
      items: items.map((item) => [item.receiver.value, item.note ?? note ?? null]),
    };
    return {
      ...(reference !== undefined && { reference }),
      state: orderedPayout({
        payoutId,
        items: items.length,
        total: {
          minor: items.reduce((sum, { amount }) => sum + amount.minor, 0),
          currency: items[0]?.amount.currency ?? '',
        },
        orderedAt,
        patience: this.config.patience,
      }),
      metadata,
      sealedLetters: sealText(this.config.codecKeys, JSON.stringify(letters), payoutId),
      items: items.map(({ itemId, receiver, amount }) => ({
        itemId,
        receiverType: receiver.type,
        receiverMasked: maskReceiver(receiver),
        ...amount,
      })),
    };
  }
}

function runOf({ environment, application, id: payoutId, state }: PayoutView): RunStart {
  const identity = { environment, application, payoutId };
  return payoutRunStart({ identity, order: state.order, messagesPerRun });
}
