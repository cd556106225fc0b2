import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import { judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import { type Account, accountOf, describeAccount, idsOf, stillHeld } from '../payment/account.js';
import { claimOneOf, judgeClaims } from '../payment/judge-claims.js';
import { judgeHoldView } from '../payment/judge-view.js';
import { captureIdOf } from '../payment/payment-view.js';
import { orderedId } from '../record.js';
import type { Movement } from '../sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import type { ExpiryPlan } from './plan.js';
import type { ExpiryRecord } from './play.js';

/** Whether the funds were held anew at most once, and left by the one way that the order or the order service chose. */
export function judgeExpiry(plan: ExpiryPlan, record: ExpiryRecord, movements: readonly Movement[]): Verdict {
  const account = accountOf(movements);
  const { orderId, approval, course, application } = plan;
  return verdictOn(record, {
    who: `order ${orderId}, payment ${orderedId(record) ?? 'unknown'} (${approval}; ${course.title} at ${application})`,
    books: describeAccount(account),
    found: [
      ...judgeHolds(plan, record, account),
      ...judgeCaptures(plan, record, account),
      ...judgeReleases(account),
      ...judgeHoldView(plan, record.final, account, plan.minor),
    ],
    end: judgeEnd(record, [course.state], (state) => isExcused(state, account)),
  });
}

/** What was in doubt until the window had closed, or was declined: nothing is held, and nothing was captured. */
function isExcused(state: string, account: Account): boolean {
  const isEnd = state === 'declined' || state === 'expired' || state === 'voided';
  return isEnd && account.sums.capture === 0 && stillHeld(account) === 0;
}

function judgeHolds(
  { minor, currency, course }: ExpiryPlan,
  { commands, isRenewalTold }: ExpiryRecord,
  { movements }: Account,
): Discrepancy[] {
  const found: Discrepancy[] = [];
  const most = course.renewal === 'none' ? 1 : 2;
  if (movements.hold.length > most) found.push(doubled(`there are ${movements.hold.length} holds`));
  for (const hold of movements.hold) {
    if (hold.amountMinor === minor && hold.currency === currency) continue;
    found.push(
      lost(`${hold.amountMinor} ${hold.currency} were held where ${minor} ${currency} were ordered`),
    );
  }
  const isPromised =
    isRenewalTold === true ||
    commands.some(({ kind, outcome }) => kind === 'reauthorize' && outcome === 'succeeded');
  if (isPromised && movements.hold.length < 2) found.push(lost('held anew, and no movement shows it'));
  return found;
}

/** The whole, once: by the order service, or by a policy of the order. */
function judgeCaptures(
  { minor, course }: ExpiryPlan,
  { commands }: ExpiryRecord,
  { movements }: Account,
): Discrepancy[] {
  const unclaimed = new Set(movements.capture);
  const claims = commands
    .filter(({ kind }) => kind === 'capture')
    .map((command) => {
      const id = captureIdOf(command);
      return {
        command,
        minor,
        name: `capture ${id ?? 'without an id'}`,
        isMine: ({ captureId }: Movement) => captureId === id,
      };
    });
  const found = judgeClaims(claims, unclaimed);
  if (course.state === 'captured' && course.ask === undefined) claimOneOf(minor, unclaimed);
  if (unclaimed.size > 0) found.push(doubled(`captured without being asked: ${idsOf([...unclaimed])}`));
  return found;
}

/** A hold is given back when another one takes its place, and once when it ends without having been captured. */
function judgeReleases({ movements }: Account): Discrepancy[] {
  const { hold, release } = movements;
  return release.length > hold.length ? [doubled(`there are ${release.length} releases`)] : [];
}
