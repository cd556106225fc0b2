import { type Discrepancy, notificationOutOfOrder } from '../discrepancy.js';
import { type Reception, shownBy } from './reception.js';

/** Notifications about one subject come one after the other, each after the one before was taken. */
export function judgeOrder(receptions: readonly Reception[]): Discrepancy[] {
  const ofSubjects = Map.groupBy([...receptions.entries()], ([, reception]) => shownBy(reception).name);
  return [...ofSubjects].flatMap(([name, arrivals]) => judgeSubject(name, arrivals));
}

type Arrival = readonly [place: number, reception: Reception];

function judgeSubject(name: string, arrivals: readonly Arrival[]): Discrepancy[] {
  const byId = Map.groupBy(arrivals, ([, { id }]) => id);
  const known: Arrival[][] = [];
  const found: Discrepancy[] = [];
  for (const deliveries of byId.values()) {
    const [[place, { id, type, sequence }]] = deliveries as [Arrival];
    for (const others of known) {
      const [[, other]] = others as [Arrival];
      const isTaken = others.some(([, { takenAfter }]) => takenAfter !== undefined && takenAfter <= place);
      if (other.sequence < sequence && isTaken) continue;
      const how = other.sequence > sequence ? 'was received before it' : 'was not taken yet';
      found.push(
        notificationOutOfOrder(`${name}: ${id}, ${type}, came when ${other.id}, ${other.type}, ${how}`),
      );
      break;
    }
    known.push(deliveries);
  }
  return found;
}
