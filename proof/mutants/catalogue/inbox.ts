import { type Mutant, mutantsOf } from './mutant.js';

const leaseTests = ['test/database/webhook-events.test.ts', 'test/database/separate-owners.test.ts'];
const parkingTests = [
  'test/database/parked-events.test.ts',
  'test/database/unknown-resources.test.ts',
  'test/database/parked-for-ever.test.ts',
  'test/database/separate-owners.test.ts',
];
const journalTests = ['test/database/webhook-journal.test.ts', 'test/database/webhook-events.test.ts'];
const takenTests = ['test/database/take-deliveries.test.ts'];
const dispatchTests = ['test/api/webhook-dispatch.test.ts', 'test/api/webhook-sweep.test.ts'];
const routeTests = ['test/api/event-route.test.ts', 'test/api/sale-event-route.test.ts'];

/** From the delivery in the journal to the run. */
export const inboxMutants: readonly Mutant[] = [
  ...mutantsOf({ file: 'libs/database/src/events/webhook-events.ts', killers: journalTests }, [
    {
      name: 'redeliveries-are-events',
      harm: 'an event counts each time that it is delivered',
      from: '${event.application}, ${event.eventId}, ${given.eventType}',
      to: '${event.application}, ${event.eventId + Math.random()}, ${given.eventType}',
    },
    {
      name: 'collided-bodies-are-believed',
      harm: 'a captured delivery is replayed with a body of the same checksum and another amount',
      from: 'isAnotherBody: sql`is_another_body`',
      to: 'isAnotherBody: sql`(is_another_body and false)`',
    },
    {
      name: 'contested-events-go-on',
      harm: 'the first delivery decides what an event says',
      from: "when ${contests} then 'contested'",
      to: "when false then 'contested'",
    },
    {
      name: 'contradictions-are-redeliveries',
      harm: 'two contents under one id are taken for one event',
      from: "const differs = isAnotherContent(contentIn('webhook_events'), contentIn('excluded'));",
      to: 'const differs = sql<boolean>`false`;',
    },
    {
      name: 'the-whole-comes-too-late',
      harm: 'a refund made elsewhere is not notified if one delivery of its event did not name it',
      from: 'when ${isWhole} then excluded.status',
      to: 'when false then excluded.status',
    },
  ]),
  ...mutantsOf({ file: 'libs/database/src/events/event-lease.ts', killers: leaseTests }, [
    {
      name: 'claimed-without-a-lease',
      harm: 'an event whose dispatcher dies is never taken up again',
      from: `        where.and([where('status', '=', 'dispatching'), where('due_at', '<', sql<Date>\`clock_timestamp()\`)]),
`,
      to: '',
    },
    {
      name: 'leases-are-not-respected',
      harm: 'two dispatchers work on one event',
      from: `where.and([where('status', '=', 'dispatching'), where('due_at', '<', sql<Date>\`clock_timestamp()\`)]),`,
      to: `where('status', '=', 'dispatching'),`,
    },
    {
      name: 'leases-end-by-our-own-clock',
      harm: 'a machine whose clock is fast takes an event that another process still dispatches',
      from: `where('due_at', '<', sql<Date>\`clock_timestamp()\`)`,
      to: `where('due_at', '<', new Date())`,
    },
    {
      name: 'applied-events-are-leased',
      harm: 'an event that was applied is applied again',
      from: `where('status', '=', 'received'),`,
      to: `where('status', '!=', 'dispatching'),`,
    },
    {
      name: 'lost-leases-mark',
      harm: 'a dispatcher that lost its lease overwrites the status that the next one has written',
      from: `      and webhook_events.status = 'dispatching'
      and webhook_events.dispatches = mark.dispatches
`,
      to: '',
    },
  ]),
  ...mutantsOf(
    { file: 'libs/database/src/events/known-events.ts', killers: ['test/database/known-events.test.ts'] },
    [
      {
        name: 'what-came-meanwhile-is-applied-unread',
        harm: 'a later delivery that names the resource is applied with the content of the first one',
        from: `
      and webhook_events.deliveries = known.deliveries`,
        to: '',
      },
      {
        name: 'leased-events-are-marked-by-others',
        harm: 'an event is marked while another process dispatches it',
        from: ` and webhook_events.status = 'received'
`,
        to: '\n',
      },
    ],
  ),
  ...mutantsOf({ file: 'libs/database/src/events/due-events.ts', killers: leaseTests }, [
    {
      name: 'sweep-overlooks-the-abandoned',
      harm: 'an event that a dead dispatcher has leased is never dispatched',
      from: `.where('status', 'in', ['received', 'dispatching'])`,
      to: `.where('status', 'in', ['received'])`,
    },
  ]),
  ...mutantsOf({ file: 'libs/database/src/events/event-subject.ts', killers: parkingTests }, [
    {
      name: 'payment-is-not-locked',
      harm: 'an event is parked just after the answer that should have claimed it',
      from: 'where id = ${id} for update`',
      to: 'where id = ${id}`',
    },
    {
      name: 'payment-of-another-application',
      harm: 'the event of one application wakes the payment of another',
      from: ' and resources.application = ${application}',
      to: '',
    },
  ]),
  ...mutantsOf({ file: 'libs/database/src/events/parked-events.ts', killers: parkingTests }, [
    {
      name: 'parked-without-a-second-look',
      harm: 'an event is parked for a resource that has just been recorded, and waits for ever',
      from: '  await lockResourceIds(trx, event, resource_ids);\n',
      to: '  void lockResourceIds;\n',
    },
    {
      name: 'parked-though-known',
      harm: 'an event is parked although its resource was recorded while it waited for the lock',
      from: `.where(sql<boolean>\`resource_id = any(\${resource_ids}::text[])\`),`,
      to: `.where(sql<boolean>\`resource_id = any(\${resource_ids}::text[]) and false\`),`,
    },
    {
      name: 'parked-events-of-others-are-claimed',
      harm: 'an event goes to the payment of another application',
      from: ' and parked.application = subject.application',
      to: '',
    },
    {
      name: 'events-of-the-subject-are-not-released',
      harm: 'an event that waited for an answer which does not name its resource is dispatched late',
      from: 'parked.subject_id = subject.subject_id or ',
      to: '',
    },
    {
      name: 'released-events-are-applied',
      harm: 'an event that says more than the answer is dropped',
      from: 'isAlreadyKnown(state, resource) === isKnown',
      to: 'isKnown',
    },
    {
      name: 'parked-events-wait-for-ever',
      harm: 'an event whose claim was missed is never looked at again',
      from: 'set\n      status = ${status},',
      to: 'set\n      status = webhook_events.status,',
    },
  ]),
  ...mutantsOf({ file: 'libs/webhook-inbox/src/take-deliveries.ts', killers: takenTests }, [
    {
      name: 'late-events-are-applied-unread',
      harm: 'what contradicts a payment that has ended is journaled as applied',
      from: `route.status !== 'applied'`,
      to: 'route.status === undefined',
    },
    {
      name: 'redeliveries-count-as-dispatched',
      harm: 'an event that was left behind is not dispatched when it comes again',
      from: 'isDone: each.isNew && ',
      to: 'isDone: ',
    },
  ]),
  ...mutantsOf({ file: 'libs/webhook-inbox/src/event-dispatch.ts', killers: dispatchTests }, [
    {
      name: 'marked-before-the-signal',
      harm: 'an event is lost when Temporal is away',
      from: `    let wasTaken: boolean;
    try {`,
      to: `    let wasTaken: boolean;
    await markWebhookEvent(this.db, event, 'applied', { subjectId: subject.id, detail: 'signalled' });
    try {`,
    },
  ]),
  ...mutantsOf(
    { file: 'libs/webhook-inbox/src/event-dispatch.ts', killers: ['test/api/events-after-end.test.ts'] },
    [
      {
        name: 'ends-while-it-is-told',
        harm: 'money that comes back just after the end of a payout is read by nobody',
        from: 'return isTaken || (await this.signalAfterEnd(event, id));',
        to: 'return isTaken || ((false as boolean) && (await this.signalAfterEnd(event, id)));',
      },
    ],
  ),
  ...mutantsOf({ file: 'libs/webhook-inbox/src/event-route.ts', killers: routeTests }, [
    {
      name: 'events-in-flight-are-signalled',
      harm: 'a run is woken by the answer that it is about to get',
      from: `if (isCallInFlight(state)) return parkedForAnswer;
  const message`,
      to: 'const message',
    },
    {
      name: 'contradictions-are-merely-late',
      harm: 'a capture of a voided payment is seen by nobody',
      from: 'return contradicts(resource, state)',
      to: 'return contradicts(resource, state) && (false as boolean)',
    },
    {
      name: 'other-amounts-are-merely-late',
      harm: 'an event that gives a capture another amount is seen by nobody',
      from: `if (amount !== undefined) return setStatus('conflict', amount);`,
      to: 'void amount;',
    },
    {
      name: 'refunds-wake-the-payment',
      harm: 'money that went back has no run, and nobody reads it',
      from: 'if (claim) return routeRefund(event, claim, state);',
      to: 'void claim;',
    },
    {
      name: 'approval-from-anywhere',
      harm: 'a payment that is held already is executed once more',
      from: `resource.payerId !== undefined && state.status === 'awaiting_approval'`,
      to: 'resource.payerId !== undefined',
    },
  ]),
];
