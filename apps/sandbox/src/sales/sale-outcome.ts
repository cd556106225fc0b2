import type { ApplicationSettings } from '../applications/application-settings.js';
import { decideCompletion, type Completion } from '../clock/settlement.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';

export function decideSaleOutcome(
  { saleOutcome, saleSettleMs }: Pick<ApplicationSettings, 'saleOutcome' | 'saleSettleMs'>,
  fault: OutcomeFault | null,
  now: Date,
): Completion {
  return decideCompletion(saleOutcome, saleSettleMs, fault, now);
}
