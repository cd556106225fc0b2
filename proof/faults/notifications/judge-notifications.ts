import { type Discrepancy, doubled, notificationLost } from '../discrepancy.js';
import { isEnd } from '../reported-states.js';
import { dueNotifications, dueStandings, standingTypes } from './due-notifications.js';
import { judgeFacts } from './judge-facts.js';
import { judgeOrder } from './judge-order.js';
import type { Notified } from './notified.js';
import { onceEach, type Reception, shownBy } from './reception.js';

/** Compares what an order service has received with what the API shows in the end, and with the provider's books. */
export function judgeNotifications(notified: Notified): Discrepancy[] {
  const { receptions } = notified;
  return [
    ...judgeListed(notified),
    ...judgeDue(notified),
    ...judgeOrder(receptions),
    ...judgeFacts(notified),
  ];
}

function takenOf(receptions: readonly Reception[]): Reception[] {
  return receptions.filter(({ takenAfter }) => takenAfter !== undefined);
}

/** What the engine has written was taken by the receiver, whatever it says of the delivery. */
function judgeListed({ receptions, listed }: Notified): Discrepancy[] {
  const taken = new Set(takenOf(receptions).map(({ id }) => id));
  return listed
    .filter(({ id }) => !taken.has(id))
    .map(({ id, type, subjectId, deliveries }) => {
      const states = deliveries.map(({ state }) => state).join(', ') || 'for no endpoint';
      return notificationLost(`${id}, ${type} of ${subjectId} (${states}), was taken by no receiver`);
    });
}

/** What the API shows was told. */
function judgeDue({ receptions, shown }: Notified): Discrepancy[] {
  const known = onceEach(takenOf(receptions));
  const byName = Map.groupBy(known, (reception) => shownBy(reception).name);
  const missing = dueNotifications(shown).flatMap(({ name, type, times }) => {
    const told = (byName.get(name) ?? []).filter((reception) => reception.type === type).length;
    return told < times ? [notificationLost(`${name}: ${told} of ${times} notifications ${type}`)] : [];
  });
  const standings = [...dueStandings(shown)].flatMap(([name, due]) => {
    const latest = (byName.get(name) ?? [])
      .filter(({ type }) => standingTypes.includes(type))
      .toSorted((left, right) => left.sequence - right.sequence)
      .at(-1);
    return due.includes(latest?.type ?? '')
      ? []
      : [notificationLost(`${name}: told last is ${latest?.type ?? 'nothing'}, due is ${due.join(' or ')}`)];
  });
  return [...missing, ...standings, ...judgeTwice(known)];
}

/** An end is told once: another id is another notification. */
function judgeTwice(known: readonly Reception[]): Discrepancy[] {
  const ends = known.filter((reception) => tellsEnd(reception));
  const byFact = Map.groupBy(ends, (reception) => `${reception.type} of ${shownBy(reception).name}`);
  return [...byFact]
    .filter(([, all]) => all.length > 1)
    .map(([fact, all]) => doubled(`${fact} was told as ${all.map(({ id }) => id).join(' and ')}`));
}

const endTypes =
  /\.(captured|voided|completed|declined|cancelled|expired|lapsed|denied|failed|succeeded|returned)$/;

function tellsEnd(reception: Reception): boolean {
  return endTypes.test(reception.type) && isEnd(shownBy(reception));
}
