import { addressOf, order, settled } from '../payment/order-payment.js';
import { repeatAnswered, type Scene } from '../scene.js';
import { playAim } from './play-aim.js';
import type { DeadlinePlan } from './plan.js';

export async function playDeadline(scene: Scene, plan: DeadlinePlan): Promise<void> {
  const { approvalTimeoutSeconds, intent } = plan;
  const { id, approvalUrl, deadlines } = await order(scene, plan, { intent, approvalTimeoutSeconds });
  if (deadlines.approvalBy && approvalUrl) {
    const approvalBy = Date.parse(deadlines.approvalBy);
    await playAim(scene, plan, { address: addressOf(id), approvalUrl, approvalBy });
  }
  await settled(scene, id);
  if (plan.repeatsWhatIsDone) await repeatAnswered(scene);
}
