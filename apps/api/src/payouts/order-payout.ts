import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type NewPayout, type PayoutView, type ReferenceOwner, acceptPayout } from '#database/subjects';
import { sealText } from '#payload-codec';
import { payoutRunStart, messagesPerRun } from '#runs';
import { type RunStart, payoutOrderCommandId } from '#workflows/contract';
import { orderedPayout } from '#workflows/lifecycle/payout';
import { type ApiConfig, apiConfig } from '../api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { assertStandingOrder, longBodyHash } from '../commands/idempotency.js';
import { newId } from '../commands/ids.js';
import { Starting } from '../commands/starting.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';
import { maskReceiver } from './masked-receiver.js';
import type { PayoutRequest } from './payout-requests.js';
import { PayoutRows } from './payout-rows.js';
import { payoutAddress } from './payout-view.js';

/** Takes an order for a payout batch: rows, run, answer. */
@Injectable()
export class OrderPayout {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Starting) private readonly starting: Starting,
    @Inject(PayoutRows) private readonly rows: PayoutRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the payout's row as it stands when the provider has answered, or when the waiting is over.
   * @throws {Problem} 409 for a key used otherwise, or a reference that names another payout.
   * @throws {TemporalAwayError} when the run may not have started; the same request again starts it.
   */
  async order(caller: Caller, idempotencyKey: string, request: PayoutRequest): Promise<PayoutView> {
    const accepted = await this.accept(caller, idempotencyKey, request);
    return await this.starting.begin(accepted, {
      run: () => runOf(accepted),
      look: () => this.rows.get(caller, accepted.id),
      isAnswered: ({ status }) => status !== 'creating',
    });
  }

  private async accept(caller: Caller, idempotencyKey: string, request: PayoutRequest): Promise<PayoutView> {
    const { environment, application } = caller;
    const payoutId = newId('payout', Date.now());
    const payout = this.newPayout(payoutId, request);
    const hash = await longBodyHash(request);
    const { total, items } = payout.state.order;
    const standing = await acceptPayout(
      this.db,
      {
        id: payoutOrderCommandId(payoutId),
        environment,
        application,
        idempotencyKey,
        bodyHash: hash,
        kind: 'create',
        subjectId: payoutId,
        parameters: { total, items },
        requestedBy: `api-key:${caller.keyId}`,
      },
      payout,
      (bearer) => ({ problem: this.duplicateReference(bearer).kept() }),
    );
    assertStandingOrder(standing, { kind: 'create', bodyHash: hash });
    return await this.rows.get(caller, standing.subject_id);
  }

  /** The wish that the reference names is carried out already, or may be: a second batch would pay it twice. */
  private duplicateReference({ id, status }: ReferenceOwner): Problem {
    return new Problem('conflict', {
      code: 'duplicate_reference',
      detail: 'The reference names another payout. Another wish needs another reference.',
      errors: [{ pointer: '/reference', detail: `belongs to ${id}` }],
      currentState: status,
      payoutId: id,
      headers: { location: payoutAddress(id, this.config) },
    });
  }

  /** What is stored of an order: no receiver, and nothing that is written to one, in the clear. */
  private newPayout(payoutId: string, { reference, emailSubject, note, items }: PayoutRequest): NewPayout {
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
        orderedAt: Date.now(),
        patience: this.config.patience,
      }),
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
