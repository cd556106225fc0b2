import { orderedId, type ScenarioRecord } from '../record.js';
import { repeatAnswered, type Scene } from '../scene.js';
import { addressOf } from './order-payment.js';
import { type PaymentView, paymentView } from './payment-view.js';

/** After the faults: repeats every answered request and reads the engine's last answer. */
export async function takeStockOfPayment(
  record: ScenarioRecord<PaymentView>,
  { orderService, signal }: Pick<Scene, 'orderService' | 'signal'>,
): Promise<void> {
  await repeatAnswered({ orderService, record, signal });
  const id = orderedId(record);
  if (id !== undefined) record.final = await orderService.read(addressOf(id), paymentView, signal);
}
