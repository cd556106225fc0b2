import { randomUUID } from 'node:crypto';
import type { Database } from '#database/connection';
import { acceptPayout } from '#database/subjects';
import { type CodecKeys, sealText } from '#payload-codec';
import {
  type PayoutIdentity,
  type PayoutRunEvent,
  type PayoutSnapshot,
  payoutOrderCommandId,
  payoutSignals,
  payoutSnapshotQuery,
  payoutSubject,
  payoutWorkflowType,
} from '#workflows/contract/payout.js';
import { workflowIdOf } from '#workflows/contract';
import type { WaitPolicy } from '#workflows/lifecycle';
import { type PayoutOrder, orderedPayout } from '#workflows/lifecycle/payout/payout.js';
import { answeredQuery } from '../helpers/answered-query.js';
import { acceptRequest, nobodyBearsItsReference } from '../helpers/accept-request.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import type { RunFixture } from '../workflows/payment-run.js';

export interface StartedPayout {
  readonly payoutId: string;
  readonly workflowId: string;
  send(event: PayoutRunEvent): Promise<void>;
  snapshot(): Promise<PayoutSnapshot>;
  reaches(status: string): Promise<PayoutSnapshot>;
}

export interface PayoutRunOptions {
  readonly codecKeys: CodecKeys;
  readonly patience?: Partial<WaitPolicy>;
  readonly messagesPerRun?: number;
}

/** A payout of 1.00 USD to each receiver, committed as the API commits it; nothing of it is sent yet. */
export async function acceptPayoutTo(
  db: Database,
  receivers: readonly string[],
  { codecKeys, patience }: Pick<PayoutRunOptions, 'codecKeys' | 'patience'>,
): Promise<{ readonly identity: PayoutIdentity; readonly order: PayoutOrder }> {
  const payoutId = `po_${randomUUID().replaceAll('-', '')}`;
  const identity = { environment: 'sandbox', application: 'shop', payoutId };
  const order = {
    payoutId,
    items: receivers.length,
    total: { minor: receivers.length * 100, currency: 'USD' },
    orderedAt: Date.now(),
    patience: { ...testWaitPolicy, ...patience },
  };
  const letters = { items: receivers.map((receiver) => [receiver, null]) };
  await acceptPayout(
    db,
    {
      id: payoutOrderCommandId(payoutId),
      environment: 'sandbox',
      application: 'shop',
      idempotencyKey: payoutId,
      bodyHash: '',
      kind: 'create',
      subjectId: payoutId,
      parameters: {},
      requestedBy: 'test',
    },
    {
      state: orderedPayout(order),
      sealedLetters: sealText(codecKeys, JSON.stringify(letters), payoutId),
      items: receivers.map((_receiver, n) => ({
        itemId: `item-${n}`,
        receiverType: 'EMAIL' as const,
        receiverMasked: 'r…@e…',
        minor: 100,
        currency: 'USD',
      })),
    },
    nobodyBearsItsReference,
  );
  return { identity, order };
}

/** Its run, as the API starts it. */
export async function startPayoutRun(
  { db, temporal }: RunFixture,
  taskQueue: string,
  receivers: readonly string[],
  { messagesPerRun = 10_000, ...options }: PayoutRunOptions,
): Promise<StartedPayout> {
  const { identity, order } = await acceptPayoutTo(db, receivers, options);
  const workflowId = workflowIdOf(payoutSubject(identity));
  await temporal.workflow.start(payoutWorkflowType, {
    workflowId,
    taskQueue,
    args: [{ identity, order, messagesPerRun }],
  });
  const handle = temporal.workflow.getHandle(workflowId);
  const snapshot = () => answeredQuery(handle, payoutSnapshotQuery);
  return {
    payoutId: identity.payoutId,
    workflowId,
    snapshot,
    send: async (event) => {
      await acceptRequest(db, identity.payoutId, event);
      await handle.signal(payoutSignals[event.type], { id: randomUUID(), event });
    },
    reaches: (status) =>
      until(snapshot, ({ state }) => state.status === status, `${workflowId} to be ${status}`),
  };
}
