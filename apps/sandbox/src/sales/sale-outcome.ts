import type { OutcomeFault } from '../faults/fault-kinds.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import { decideCompletion, type Completion } from '../completion/completion.js';

export function decideSaleOutcome(
  { saleOutcome, saleSettleMs }: Pick<ApplicationSettings, 'saleOutcome' | 'saleSettleMs'>,
  fault: OutcomeFault | null,
  now: Date,
): Completion {
  return decideCompletion(saleOutcome, saleSettleMs, fault, now);
}
