import type { PayoutItemRow, SubscriptionPaymentRow } from '#database/schema';
import type { PaymentWithRefunds } from '#database/subjects';
import { paymentStatusOf } from '#workflows/lifecycle/subscription';
import { Instant, Pages, Table } from '../html/parts.js';
import { addressOf, money } from '../sentences/words.js';

/** Captures or the sale of a payment, its refunds, and its ids at the provider. */
export function PaymentTables({ row: { state, refunds } }: { row: PaymentWithRefunds }) {
  const { currency } = state.order.amount;
  const taken = [
    ...state.captures.map(({ captureId, minor, status }) => ({
      id: captureId,
      minor,
      status,
      what: 'Capture',
    })),
    ...(state.sale
      ? [{ id: state.sale.saleId, minor: state.sale.minor, status: state.sale.status, what: 'Sale' }]
      : []),
  ];
  return (
    <>
      <h2>Money</h2>
      <Table
        caption="Captures and sales."
        none="Nothing was taken."
        rows={taken}
        columns={[
          { name: 'Id', cell: ({ id }) => <code>{id}</code> },
          { name: 'What', cell: ({ what }) => what },
          { name: 'Amount', isNumber: true, cell: ({ minor }) => money(minor, currency) },
          { name: 'State', cell: ({ status }) => status },
        ]}
      />
      <Table
        caption="Refunds and chargebacks."
        none="Nothing was refunded."
        rows={refunds}
        columns={[
          { name: 'Refund', cell: ({ id }) => <a href={addressOf(id)}>{`${id.slice(0, 13)}…`}</a> },
          {
            name: 'Amount',
            isNumber: true,
            cell: ({ state: { amount } }) => (amount ? money(amount.minor, amount.currency) : 'unknown'),
          },
          { name: 'State', cell: (refund) => refund.state.status },
        ]}
      />
      <ProviderIds state={state} />
    </>
  );
}

function ProviderIds({ state }: { state: PaymentWithRefunds['state'] }) {
  const ids = [
    { what: 'Payment', id: state.providerPaymentId },
    ...(state.reauthorizations?.earlier ?? []).map(({ authorizationId: id }) => ({
      what: 'Earlier hold',
      id,
    })),
    { what: 'Hold', id: state.authorization?.authorizationId },
  ].filter(({ id }) => id !== undefined);
  return (
    <>
      <h2>At the provider</h2>
      <Table
        caption="The provider’s ids."
        none="The provider has given no id yet."
        rows={ids}
        columns={[
          { name: 'Id', cell: ({ id }) => <code>{id}</code> },
          { name: 'Of', cell: ({ what }) => what },
        ]}
      />
    </>
  );
}

export function SubscriptionTables({
  planId,
  payments,
  currency,
}: {
  planId: string;
  payments: readonly SubscriptionPaymentRow[];
  currency: string;
}) {
  return (
    <>
      <p>
        <a href={addressOf(planId)}>The plan</a>
      </p>
      <h2>Payments</h2>
      <Table
        caption="The latest hundred."
        none="No cycle was billed yet."
        rows={payments}
        columns={[
          { name: 'At', cell: ({ at }) => <Instant at={at} /> },
          { name: 'Amount', isNumber: true, cell: ({ minor }) => money(minor, currency) },
          { name: 'State', cell: ({ status }) => paymentStatusOf(status) },
          { name: 'Transaction', cell: ({ transaction_id: id }) => <code>{id}</code> },
        ]}
      />
    </>
  );
}

/** @param mayAct receivers, although masked, are shown to those who act. */
export function PayoutTables({
  id,
  items,
  mayAct,
  next,
  isFirst,
}: {
  id: string;
  items: readonly PayoutItemRow[];
  mayAct: boolean;
  next: number | undefined;
  isFirst: boolean;
}) {
  const address = addressOf(id);
  return (
    <>
      <h2>Items</h2>
      <Table
        caption="In the order in which they were sent."
        none="No item is left."
        rows={items}
        columns={[
          { name: 'Item', cell: ({ item_id: item }) => item },
          { name: 'Amount', isNumber: true, cell: ({ minor, currency }) => money(minor, currency) },
          {
            name: 'State',
            cell: ({ status, error_code: code }) => (code === null ? status : `${status} (${code})`),
          },
          ...(mayAct
            ? [{ name: 'Receiver', cell: ({ receiver_masked: masked }: PayoutItemRow) => masked }]
            : []),
          ...(mayAct
            ? [
                {
                  name: 'Action',
                  cell: ({ status, item_id: item }: PayoutItemRow) =>
                    status === 'unclaimed' ? (
                      <a
                        href={`${address}/cancel-item?itemId=${encodeURIComponent(item)}`}
                      >{`Cancel ${item}`}</a>
                    ) : (
                      '–'
                    ),
                },
              ]
            : []),
        ]}
      />
      <Pages
        first={address}
        isFirst={isFirst}
        next={next === undefined ? undefined : `${address}?after=${next}`}
        words={{ first: 'First', next: 'Next' }}
      />
    </>
  );
}

export function RefundTables({ paymentId, providerId }: { paymentId: string; providerId: string | null }) {
  return (
    <>
      <p>
        <a href={addressOf(paymentId)}>The payment</a>
      </p>
      {providerId !== null && (
        <p>
          The provider’s id: <code>{providerId}</code>
        </p>
      )}
    </>
  );
}
