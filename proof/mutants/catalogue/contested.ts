import { type Mutant, mutantsOf } from './mutant.js';

const contestedTests = ['test/database/contested-events.test.ts'];

/** What becomes of deliveries that contradict each other. */
export const contestedMutants: readonly Mutant[] = [
  ...mutantsOf({ file: 'libs/database/src/events/contested-events.ts', killers: contestedTests }, [
    {
      name: 'shown-events-are-not-taken',
      harm: 'what a forged delivery says stands against the word of the provider',
      from: "    .where('shown_at', 'is', null)\n    .where((where)",
      to: "    .where('shown_at', 'is not', null)\n    .where((where)",
    },
    {
      name: 'contested-events-are-asked-for-once',
      harm: 'an event that cannot be read now is never told',
      from: 'due_at: sql<Date>`clock_timestamp() + least(',
      to: 'due_at: sql<Date | null>`null::timestamptz + least(',
    },
    {
      name: 'read-events-of-the-past-are-settled',
      harm: 'a reader thought dead gives up what the next one reads',
      from: "    .where('dispatches', '=', dispatches)\n",
      to: '',
    },
  ]),
  ...mutantsOf({ file: 'libs/database/src/events/event-content.ts', killers: contestedTests }, [
    {
      name: 'other-subjects-are-the-same-content',
      harm: 'a forged delivery sends an event to another payment, and the genuine one is taken for its redelivery',
      from: 'or not (${one.resourceIds} @> ${other.resourceIds} and ${one.resourceIds} <@ ${other.resourceIds})',
      to: '',
    },
  ]),
  ...mutantsOf({ file: 'libs/database/src/events/missed-events.ts', killers: contestedTests }, [
    {
      name: 'forged-events-hide-genuine-ones',
      harm: 'a refund of which a forged delivery took the event’s id is never told',
      from: "or ${isAnotherContent(contentIn('held'), contentIn('shown'))}",
      to: "or (${isAnotherContent(contentIn('held'), contentIn('shown'))} and held.resource->>'id' = '')",
    },
  ]),
  ...mutantsOf({ file: 'libs/webhook-inbox/src/event-route.ts', killers: ['test/api/event-route.test.ts'] }, [
    {
      name: 'forged-names-of-reversals',
      harm: 'a chargeback whose event’s id was forged for another capture is never told',
      from: 'return isAnother ?',
      to: 'return isAnother && (false as boolean) ?',
    },
  ]),
];
