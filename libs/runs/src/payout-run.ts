import {
  type PayoutRunInput,
  payoutSubject,
  payoutWorkflowType,
} from '../../workflows/src/contract/payout.js';
import type { RunStart } from '../../workflows/src/contract/run.js';
import { moneyText } from '../../workflows/src/lifecycle/money.js';

export function payoutRunStart(input: PayoutRunInput): RunStart {
  const { items, total } = input.order;
  return {
    subject: payoutSubject(input.identity),
    type: payoutWorkflowType,
    input,
    summary: `Pay out ${moneyText(total)} to ${items} receivers`,
    intent: 'payout',
  };
}
