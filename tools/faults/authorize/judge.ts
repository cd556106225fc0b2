import { type Discrepancy, doubled, lost, stuck } from '../discrepancy.js';
import type { Verdict } from '../lifecycle.js';
import type { Command } from '../order-service.js';
import type { Movement } from '../sandbox-admin.js';
import { type Account, accountOf, describeAccount, idsOf, sumOf } from './account.js';
import { judgeEnd, judgeFinalView } from './judge-end.js';
import { type AuthorizePlan, minorOf } from './plan.js';
import { acceptedCommands, type AuthorizeRecord, paymentIdOf } from './record.js';

/**
 * Compares what the engine told the order service with the sandbox's books. The engine's own records decide nothing
 * here: its answers are the promises, the movements are the truth.
 *
 * @param movements those that bear this payment's reference.
 */
export function judgeAuthorize(
  plan: AuthorizePlan,
  record: AuthorizeRecord,
  movements: readonly Movement[],
): Verdict {
  const account = accountOf(movements);
  const end = judgeEnd(plan, record, account);
  const found = [
    ...judgeHolds(plan, account),
    ...judgeCaptures(plan, record, account),
    ...judgeRelease(plan, record, account),
    ...judgeFinalView(plan, record, account),
    ...judgeRepeats(record),
    ...end.discrepancies,
  ];
  const who = `order ${plan.orderId}, payment ${paymentIdOf(record) ?? 'unknown'} (${plan.approval}; ${plan.ending})`;
  return {
    discrepancies: found.map(({ kind, what }) => ({
      kind,
      what: `${who}: ${what}; the books show ${describeAccount(account)}`,
    })),
    requests: acceptedCommands(record).length,
    ...(end.explanation !== undefined && { explanation: `${who}: ${end.explanation}` }),
  };
}

function judgeHolds({ minor, currency }: AuthorizePlan, { holds }: Account): Discrepancy[] {
  if (holds.length > 1) return [doubled(`there are ${holds.length} holds`)];
  return holds
    .filter((hold) => hold.amountMinor !== minor || hold.currency !== currency)
    .map((hold) =>
      lost(`${hold.amountMinor} ${hold.currency} were held where ${minor} ${currency} were ordered`),
    );
}

/** Every capture that succeeded owns one movement, found by the capture's id; what is left over nobody asked for. */
function judgeCaptures(
  plan: AuthorizePlan,
  { commands, final }: AuthorizeRecord,
  { captures }: Account,
): Discrepancy[] {
  const unclaimed = new Set(captures);
  const found: Discrepancy[] = [];
  for (const command of commands) {
    if (command.kind === 'capture') found.push(...claim(plan, command, unclaimed));
  }
  if (plan.ending === 'capture by policy') {
    const isShown = claimOneOf(plan.minor, unclaimed);
    if (!isShown && final?.state === 'captured')
      found.push(lost('captured by policy, and no movement shows it'));
  }
  if (unclaimed.size > 0) found.push(doubled(`captured without being asked: ${idsOf([...unclaimed])}`));
  return found;
}

function claim(plan: AuthorizePlan, command: Command, unclaimed: Set<Movement>): Discrepancy[] {
  const asked = askedMinor(plan, command);
  if (command.outcome === 'open') {
    // It is stuck; should its money have moved meanwhile, that is its own movement and no doubled one.
    claimOneOf(asked, unclaimed);
    return [];
  }
  if (command.outcome !== 'succeeded') return [];
  const mine = [...unclaimed].filter(({ captureId }) => captureId === command.captureId);
  for (const movement of mine) unclaimed.delete(movement);
  const name = `capture ${command.captureId ?? 'without an id'} of ${asked}`;
  if (mine.length === 0) return [lost(`${name} was accepted, and no movement shows it`)];
  if (mine.length > 1) return [doubled(`${name} was booked ${mine.length} times`)];
  return sumOf(mine) === asked ? [] : [lost(`${name} was booked as ${sumOf(mine)}`)];
}

function claimOneOf(minor: number, unclaimed: Set<Movement>): boolean {
  const mine = [...unclaimed].find(({ amountMinor }) => amountMinor === minor);
  return mine !== undefined && unclaimed.delete(mine);
}

/** A capture without an amount asks for the whole: in no story it is given after another one. */
function askedMinor({ minor, exponent }: AuthorizePlan, { body }: Command): number {
  const { amount } = body as { readonly amount?: { readonly value: string } };
  return amount ? minorOf(amount.value, exponent) : minor;
}

function judgeRelease(
  { minor, part }: AuthorizePlan,
  { commands }: AuthorizeRecord,
  { releases, released, captured }: Account,
): Discrepancy[] {
  const succeeded = commands.filter(({ outcome }) => outcome === 'succeeded');
  // Nobody knows of an open command; that it is stuck is said elsewhere.
  if (commands.some((command) => command.outcome === 'open' && (isVoid(command) || isFinalCapture(command))))
    return [];
  if (releases.length > 1) return [doubled(`there are ${releases.length} releases`)];
  const expected = succeeded.some(isVoid)
    ? minor - captured
    : succeeded.some(isFinalCapture)
      ? minor - part
      : 0;
  if (released === expected) return [];
  if (expected === 0) return [doubled('what was held was released without being asked')];
  return [lost(`${expected} were to be released, ${released} were`)];
}

function isVoid({ kind }: Command): boolean {
  return kind === 'void';
}

function isFinalCapture({ body }: Command): boolean {
  return (body as { readonly final?: boolean }).final === true;
}

/** The same key again must bring the same answer. */
function judgeRepeats({ repeats }: AuthorizeRecord): Discrepancy[] {
  return repeats.flatMap(({ first, again }) => {
    const what = `${first.kind} ${first.captureId ?? first.key}, ${first.outcome} at first`;
    if (again.outcome === 'open') return [stuck(`${what}, was not answered again`)];
    const isSame =
      again.outcome === first.outcome &&
      again.captureId === first.captureId &&
      again.payment?.id === first.payment?.id;
    if (isSame) return [];
    return [
      lost(
        `${what}, was answered otherwise when repeated: ${again.detail ?? again.captureId ?? again.outcome}`,
      ),
    ];
  });
}
