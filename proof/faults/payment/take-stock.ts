import { orderedId, type StoryRecord } from '../record.js';
import { repeatAnswered, type Scene } from '../scene.js';
import { addressOf } from './order-payment.js';
import { type PaymentView, paymentView } from './payment-view.js';

/** When nothing fails any more: every answered request once more, then the engine's last word. */
export async function takeStockOfPayment(
  record: StoryRecord<PaymentView>,
  { orderService, signal }: Pick<Scene, 'orderService' | 'signal'>,
): Promise<void> {
  await repeatAnswered({ orderService, record, signal });
  const id = orderedId(record);
  if (id !== undefined) record.final = await orderService.read(addressOf(id), paymentView, signal);
}
