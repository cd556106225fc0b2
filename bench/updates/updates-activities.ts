import type { FloorActivities, FloorOrder } from '../floor/floor-contract.js';
import type { NaiveActivities, NaiveOrder, ProviderCall, RowChange } from '../naive/naive-contract.js';

export const updatesTaskQueue = 'bench-updates';

/**
 * As the samples of Temporal have it: the floor's workflow, which answers requests as Updates, with the naive design's rows
 * and the codec. Each local activity calls the provider and writes the rows afterwards; nothing is written before a call.
 */
export function updatesActivities(naive: NaiveActivities): FloorActivities {
  const recorded = async (order: FloorOrder, change: RowChange & ProviderCall): Promise<ProviderCall> => {
    await naive.writeRows(naiveOrder(order), change);
    return change;
  };
  return {
    async createPayment(order) {
      const call = await naive.createPayment(naiveOrder(order));
      const { resource } = await recorded(order, {
        status: 'awaiting_approval',
        event: 'paymentCreated',
        ...call,
      });
      return { providerPaymentId: resource.id, approvalUrl: resource.approvalUrl ?? '' };
    },
    async executePayment(order, id, payerId) {
      const call = await naive.executePayment(naiveOrder(order), id, payerId);
      return (await recorded(order, { status: 'authorized', event: 'authorizationGranted', ...call }))
        .resource.id;
    },
    async captureAuthorization(order, id) {
      const call = await naive.captureAuthorization(naiveOrder(order), id);
      return (await recorded(order, { status: 'captured', event: 'captureAnswered', ...call })).resource.id;
    },
  };
}

function naiveOrder(order: FloorOrder): NaiveOrder {
  return { ...order, orderId: order.paymentId };
}
