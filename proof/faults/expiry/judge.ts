import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import { judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import type { Command } from '../order-service.js';
import { type Account, accountOf, describeAccount, stillHeld } from '../payment/account.js';
import { judgeCaptures, judgeHolds } from '../payment/judge-hold.js';
import { judgeHoldView } from '../payment/judge-view.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import { type Course, type ExpiryPlan, decliningByChance } from './plan.js';
import type { ExpiryRecord } from './play.js';

/** The sandbox's code for a capture that it does not make. */
const declined = '(INSTRUMENT_DECLINED)';

/**
 * Whether the funds were reauthorized at most once, and ended in the one way that the order or the order service chose.
 */
export function judgeExpiry(plan: ExpiryPlan, record: ExpiryRecord, movements: readonly Movement[]): Verdict {
  const account = accountOf(movements);
  const { orderId, approval, course, application } = plan;
  return verdictOn(record, {
    orderId,
    ordered: 'payment',
    scenario: `${approval}; ${course.title} at ${application}`,
    books: describeAccount(account),
    found: [
      ...judgeHolds(plan, account, course.reauthorization === 'none' ? 1 : 2),
      ...judgeReauthorization(record, account),
      ...judgeCaptures(plan, record, account, { isByPolicy: isCapturedByPolicy(course) }),
      ...judgeReleases(account),
      ...judgeHoldView(plan, record.final, account, plan.minor),
    ],
    end: judgeEnd(
      record,
      plannedEnds(course, record),
      (state) => isExcused(state, account),
      isLeftAfterDeclines(plan, record),
    ),
  });
}

/**
 * An order service that a busy machine kept from asking before the window closed leaves the end to the policy; so does one whose
 * request was refused because the policy was at work.
 */
function plannedEnds({ state, ask, policies }: Course, { commands }: ExpiryRecord): string[] {
  const isAsked = commands.some((command) => command.kind === ask && !isLate(command));
  const isLeft = ask !== undefined && !isAsked && policies.expiryPolicy.action === 'void';
  return isLeft ? [state, 'voided'] : [state];
}

/** Refused because the policy's void was under way or had been made. */
function isLate({ outcome, detail = '' }: Command): boolean {
  return outcome === 'refused' && /\bis void(?:ing|ed)\b/.test(detail);
}

function isCapturedByPolicy({ state, ask }: Course): boolean {
  return state === 'captured' && ask === undefined;
}

/** What had an unknown outcome until the window had closed, or was declined: nothing is held, and nothing was captured. */
function isExcused(state: string, account: Account): boolean {
  const isEnd = state === 'declined' || state === 'expired' || state === 'voided';
  return isEnd && account.sums.capture === 0 && stillHeld(account) === 0;
}

/** Chance has declined each late capture and said so, and the policy has voided the hold. */
function isLeftAfterDeclines(
  { application, course }: ExpiryPlan,
  { commands, final }: ExpiryRecord,
): boolean {
  const { ask, policies } = course;
  if (application !== decliningByChance || ask !== 'capture') return false;
  if (policies.expiryPolicy.action !== 'void' || final?.state !== 'voided') return false;
  const captures = commands.filter(({ kind }) => kind === ask);
  return (
    captures.length > 0 &&
    captures.every(({ outcome, detail = '' }) => outcome === 'failed' && detail.includes(declined))
  );
}

/** If the engine has reported a reauthorization, the books must show it. */
function judgeReauthorization(
  { commands, isReauthorizationReported }: ExpiryRecord,
  { movements }: Account,
): Discrepancy[] {
  const isPromised =
    isReauthorizationReported === true ||
    commands.some(({ kind, outcome }) => kind === 'reauthorize' && outcome === 'succeeded');
  const isKept = !isPromised || movements.hold.length > 1;
  return isKept ? [] : [lost('reauthorized, and no movement shows it')];
}

/** A hold is released when another one replaces it, and once when it ends uncaptured. */
function judgeReleases({ movements }: Account): Discrepancy[] {
  const { hold, release } = movements;
  return release.length > hold.length ? [doubled(`there are ${release.length} releases`)] : [];
}
