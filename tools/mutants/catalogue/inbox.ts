import { type Mutant, mutantsOf } from '../mutant.js';

/** From the delivery to the run. */
export const inboxMutants: readonly Mutant[] = [
  ...mutantsOf({ file: 'apps/api/src/webhooks/webhook-intake.ts', killers: ['test/api/outages.test.ts'] }, [
    {
      name: 'acknowledged-before-the-commit',
      harm: 'an event is lost when the database is away',
      from: 'const journaled = await journalWebhookEvent(',
      to: 'void journalWebhookEvent(',
      also: [{ from: 'this.dispatcher.enqueue(journaled.id);', to: '' }],
    },
  ]),
  ...mutantsOf(
    {
      file: 'apps/api/src/webhooks/webhook-authenticity.ts',
      killers: ['test/api/webhook-authenticity.test.ts'],
    },
    [
      {
        name: 'signature-is-not-checked',
        harm: 'anybody may tell us that money came',
        from: `if (verdict.outcome === 'forged') {`,
        to: 'if (false as boolean) {',
      },
      {
        name: 'undecided-is-genuine',
        harm: 'a delivery whose certificate cannot be had is believed',
        from: `if (verdict.outcome === 'undecided') throw`,
        to: 'if (false as boolean) throw',
      },
      {
        name: 'every-address-is-secret-enough',
        harm: 'whoever knows the application’s name may deliver',
        from: 'if (!addressee || !isKnown)',
        to: 'if (!addressee)',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/payments-client/src/webhooks/verify-signature.ts',
      killers: ['test/client/webhooks.test.ts'],
    },
    [
      {
        name: 'any-certificate-will-do',
        harm: 'the attacker signs with a certificate of his own',
        from: '  if (!isTrustedCertificateAddress(transmission.certificateAddress, delivery.trustedCertificateOrigins)) {',
        to: '  if (false as boolean && isTrustedCertificateAddress(transmission.certificateAddress, [])) {',
      },
      {
        name: 'the-sender-chooses-the-algorithm',
        harm: 'a weaker one is accepted',
        from: `if (transmission.algorithm !== 'SHA256withRSA')`,
        to: 'if (false as boolean)',
      },
      {
        name: 'certificates-never-end',
        harm: 'a stolen certificate signs for ever',
        from: '|| now > certificate.validToDate.getTime()',
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    { file: 'libs/database/src/webhook-events.ts', killers: ['test/database/webhook-events.test.ts'] },
    [
      {
        name: 'redeliveries-are-events',
        harm: 'an event counts each time that it is delivered',
        from: '      event_id: event.eventId,',
        to: '      event_id: `${event.eventId}-${Math.random()}`,',
      },
      {
        name: 'claimed-without-a-lease',
        harm: 'an event whose dispatcher dies is never taken up again',
        from: `where.and([where('status', '=', 'dispatching'), where('lease_until', '<', new Date())]),`,
        to: '',
      },
      {
        name: 'leases-are-not-respected',
        harm: 'two dispatchers work on one event',
        from: `where.and([where('status', '=', 'dispatching'), where('lease_until', '<', new Date())]),`,
        to: `where('status', '=', 'dispatching'),`,
      },
      {
        name: 'settled-events-are-leased',
        harm: 'an event that was applied is applied again',
        from: `        where('status', '=', 'received'),
        where.and(`,
        to: `        where('status', '!=', 'dispatching'),
        where.and(`,
      },
      {
        name: 'sweep-overlooks-the-abandoned',
        harm: 'what a dead dispatcher held stays held',
        from: `.where('status', 'in', ['received', 'dispatching'])`,
        to: `.where('status', 'in', ['received'])`,
      },
      {
        name: 'payment-is-not-locked',
        harm: 'an event is parked just after the answer that should have claimed it',
        from: `.forUpdate('payments')`,
        to: '',
      },
      {
        name: 'payment-of-another-application',
        harm: 'the event of one application wakes the payment of another',
        from: `    .where('resources.application', '=', event.application)
`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    { file: 'libs/webhook-inbox/src/event-dispatch.ts', killers: ['test/api/webhook-dispatch.test.ts'] },
    [
      {
        name: 'marked-before-the-signal',
        harm: 'an event is lost when Temporal is away',
        from: `    let wasTaken: boolean;
    try {`,
        to: `    let wasTaken: boolean;
    await markWebhookEvent(this.db, event.id, 'applied', { paymentId: payment.id, detail: 'signalled' });
    try {`,
        also: [
          { from: `await markWebhookEvent(this.db, event.id, 'received', {`, to: 'void ({' },
          { from: `detail: 'the run could not be told yet' });`, to: '});' },
        ],
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/transition.ts',
      killers: ['test/lifecycle/state-event-table.test.ts'],
    },
    [
      {
        name: 'event-is-believed',
        harm: 'a forged "voided" ends a payment whose hold is alive',
        from: `  providerNotified: (state, _event, now) => observe(state, now),
  pollCameDue: (state, _event, now) => observe(state, now),
  providerObserved: (state, { facts }, now) => observeHold`,
        to: `  providerNotified: (state, _event, now) => finishVoid(state, now),
  pollCameDue: (state, _event, now) => observe(state, now),
  providerObserved: (state, { facts }, now) => observeHold`,
      },
    ],
  ),
  ...mutantsOf({ file: 'libs/webhook-inbox/src/event-route.ts', killers: ['test/api/event-route.test.ts'] }, [
    {
      name: 'events-in-flight-are-signalled',
      harm: 'a run is woken by the answer that it is about to get',
      from: `if (state.openStep?.phase === 'running') return settle(`,
      to: 'if (false as boolean) return settle(',
    },
    {
      name: 'contradictions-are-merely-late',
      harm: 'a capture of a voided payment is seen by nobody',
      from: 'return contradicts(resource, state)',
      to: 'return contradicts(resource, state) && false',
    },
  ]),
];
