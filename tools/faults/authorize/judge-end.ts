import { type Discrepancy, lost, needsReview, stuck } from '../discrepancy.js';
import type { Command } from '../order-service.js';
import { type Account, stillHeld } from './account.js';
import { type AuthorizePlan, type Ending, minorOf } from './plan.js';
import type { AuthorizeRecord } from './record.js';

const ended: ReadonlySet<string> = new Set(['captured', 'voided', 'declined', 'cancelled', 'expired']);
const holding: ReadonlySet<string> = new Set(['authorized', 'partially_captured']);

const plannedStates: Readonly<Record<Ending, string>> = {
  capture: 'captured',
  'capture in two parts': 'captured',
  'capture a part and release the rest': 'captured',
  'capture a part and void the rest': 'captured',
  'capture by policy': 'captured',
  void: 'voided',
  'capture and void at once': 'captured',
  'keep the hold': 'authorized',
  cancel: 'cancelled',
};

interface EndVerdict {
  readonly discrepancies: readonly Discrepancy[];
  /** Ended otherwise than planned, and the engine said why before it was asked. */
  readonly explanation?: string;
}

/** Whether the payment came to the end that was planned for it, or to another one that the engine explains. */
export function judgeEnd(
  plan: AuthorizePlan,
  { final, commands }: AuthorizeRecord,
  account: Account,
): EndVerdict {
  const open = commands.filter(({ outcome }) => outcome === 'open');
  const reason = final?.reason ?? 'no reason given';
  if (final?.state === 'needs_review') {
    // The faults are over and the provider's reads tell the truth: whatever it was, the books could have proved it.
    return { discrepancies: [needsReview(reason), stuck(`it was left in review (${reason})`)] };
  }
  if (!final || open.length > 0) {
    const what = open.map(({ kind, key }) => `${kind} with key ${key}`).join(', ');
    return { discrepancies: [stuck(`${final?.state ?? 'not readable'}, without a final answer to ${what}`)] };
  }
  if (plannedState(plan, commands) === final.state) return { discrepancies: [] };
  const details = commands.flatMap(({ detail }) => detail ?? []).join('; ');
  const explanation = `${final.state}, because ${reason}${details && `; ${details}`}`;
  if (isExplained(final.state, commands, account) && final.reason) return { discrepancies: [], explanation };
  return { discrepancies: [stuck(explanation)] };
}

/** The provider did not do it, the engine has said so before it was asked, and no money is where it should not be. */
function isExplained(state: string, commands: readonly Command[], account: Account): boolean {
  if (state === 'declined') return account.held === account.released;
  return holding.has(state) && commands.some(({ outcome }) => outcome === 'failed');
}

function plannedState({ ending }: AuthorizePlan, commands: readonly Command[]): string {
  const wasCaptured = commands.some(isSuccessfulCapture);
  return ending === 'capture and void at once' && !wasCaptured ? 'voided' : plannedStates[ending];
}

function isSuccessfulCapture({ kind, outcome }: Command): boolean {
  return kind === 'capture' && outcome === 'succeeded';
}

/** The engine's last word on a payment that rests or has ended, in minor units, against the books. */
export function judgeFinalView(
  { exponent, minor }: AuthorizePlan,
  { final }: AuthorizeRecord,
  account: Account,
): Discrepancy[] {
  if (!final || !(ended.has(final.state) || holding.has(final.state))) return [];
  const { state, amounts } = final;
  const found: Discrepancy[] = [];
  if (minorOf(amounts.captured.value, exponent) !== account.captured) {
    found.push(says(`${amounts.captured.value} captured`));
  }
  const authorized = minorOf(amounts.authorized.value, exponent);
  if (authorized !== (account.holds.length > 0 ? minor : 0)) {
    found.push(says(`${amounts.authorized.value} authorized`));
  }
  const capturable = holding.has(state) ? stillHeld(account) : 0;
  if (minorOf(amounts.capturable.value, exponent) !== capturable) {
    found.push(says(`${amounts.capturable.value} capturable`));
  }
  if (ended.has(state) && stillHeld(account) !== 0) found.push(says(`${state}, with money still held`));
  if (ended.has(state) && (state === 'captured') !== account.captured > 0) found.push(says(state));
  return found;
}

function says(shown: string): Discrepancy {
  return lost(`the engine says ${shown}`);
}
