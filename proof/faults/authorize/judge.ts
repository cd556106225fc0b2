import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import { judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import type { Command } from '../order-service.js';
import { type Account, accountOf, describeAccount } from '../payment/account.js';
import { isShownDenied, judgeCaptures, judgeHolds } from '../payment/judge-hold.js';
import { holdingStates, judgeHoldView } from '../payment/judge-view.js';
import type { PaymentView } from '../payment/payment-view.js';
import type { ScenarioRecord } from '../record.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import type { AuthorizePlan } from './plan.js';

type PaymentRecord = ScenarioRecord<PaymentView>;

/**
 * Compares what the engine answered the order service with the sandbox's books. The engine's own records decide nothing
 * here: its answers are the promises, the movements are the truth.
 *
 * @param movements those with this payment's reference.
 */
export function judgeAuthorize(
  plan: AuthorizePlan,
  record: PaymentRecord,
  movements: readonly Movement[],
): Verdict {
  const account = accountOf(movements);
  const { orderId, approval, ending, application } = plan;
  const { isByPolicy = false, hasDenials = false } = ending;
  return verdictOn(record, {
    orderId,
    ordered: 'payment',
    scenario: `${approval}; ${ending.title} at ${application}`,
    books: describeAccount(account),
    found: [
      ...judgeHolds(plan, account, 1),
      ...judgeCaptures(plan, record, account, { isByPolicy, canBeDenied: hasDenials }),
      ...judgeRelease(plan, record, account),
      ...judgeHoldView(plan, record.final, account, plan.minor),
    ],
    end: judgeEnd(record, ending.states, (state) => isExcused(state, record, account)),
  });
}

/** The provider did not do it, and no money has moved wrongly. */
function isExcused(state: string, { commands }: PaymentRecord, { sums }: Account): boolean {
  if (state === 'declined') return sums.hold === sums.release;
  return holdingStates.has(state) && commands.some(({ outcome }) => outcome === 'failed');
}

/** Every end of a hold releases everything that was not captured. */
function judgeRelease(
  { minor }: AuthorizePlan,
  { commands, final }: PaymentRecord,
  { movements, sums }: Account,
): Discrepancy[] {
  const releasing = commands.filter((command) => isReleasing(command) && !isShownDenied(final, command));
  // The result of an open command is unknown; another judge reports it as stuck.
  if (releasing.some(({ outcome }) => outcome === 'open')) return [];
  if (movements.release.length > 1) return [doubled(`there are ${movements.release.length} releases`)];
  const isReleased = releasing.some(({ outcome }) => outcome === 'succeeded');
  if (!isReleased)
    return sums.release === 0 ? [] : [doubled('what was held was released without being asked')];
  const expected = minor - sums.capture;
  return sums.release === expected ? [] : [lost(`${expected} were to be released, ${sums.release} were`)];
}

function isReleasing({ kind, body }: Command): boolean {
  return kind === 'void' || kind === 'release' || (body as { readonly final?: boolean }).final === true;
}
