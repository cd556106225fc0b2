import { type Mutant, mutantsOf } from './mutant.js';

/** What the database must never take, whoever writes. */
export const rowMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/database/src/transitions/transition-statement.ts',
      killers: ['test/database/attempts.test.ts', 'test/database/payment-rows.test.ts'],
    },
    [
      {
        name: 'settled-attempts-are-overwritten',
        harm: 'a worker thought dead overwrites what was proved since',
        from: ` and (outcome is null or outcome = 'unknown')`,
        to: '',
      },
      {
        name: 'doubt-cannot-be-settled',
        harm: 'a proof that comes after the doubt is not written',
        from: `(outcome is null or outcome = 'unknown')`,
        to: `outcome is null`,
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/transitions/statement-parts.ts',
      killers: ['test/database/attempts.test.ts', 'test/database/payment-rows.test.ts'],
    },
    [
      {
        name: 'late-outcome-moves-the-payment',
        harm: 'an attempt whose outcome was recorded before still changes the payment',
        from: "cause === 'outcome' ? sql`exists (select from first)` : sql`true`",
        to: 'sql`${cause} is not null`',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/transitions/write-transition.ts',
      killers: ['test/database/attempts.test.ts', 'test/database/payment-rows.test.ts'],
    },
    [
      {
        name: 'attempt-begun-twice-is-an-error',
        harm: 'a repeated activity never learns that its POST was sent',
        from: `if (isDuplicateOf(error, 'attempts_subject_id_step_name_attempt_number_key')) return undefined;`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/transitions/write-transition.ts',
      killers: [
        'test/database/parked-events.test.ts',
        'test/database/unknown-resources.test.ts',
        'test/database/separate-owners.test.ts',
      ],
    },
    [
      {
        name: 'parked-events-are-not-claimed',
        harm: 'an event that waited for a resource waits for ever',
        from: `    await releaseParkedEvents(db, transition);
    return 'recorded';`,
        to: `    return 'recorded';`,
      },
      {
        name: 'reads-claim-no-events',
        harm: 'an event of a capture that only a read has shown waits for ever',
        from: 'if (id !== undefined) await releaseParkedEvents(db, transition);',
        to: 'void id;',
      },
      {
        name: 'late-writers-claim-events',
        harm: 'an event is settled by a state that never was written',
        from: 'if (id !== undefined) await',
        to: 'await',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/transitions/transition-statement.ts',
      killers: [
        'test/database/commands.test.ts',
        'test/database/separate-owners.test.ts',
        'test/database/ends.test.ts',
      ],
    },
    [
      {
        name: 'refused-commands-are-begun',
        harm: 'a capture is made after its caller was told that it was refused',
        from: 'then ${refuseStatement(cause)}::text else ${status} end`',
        to: 'then ${status} else ${status} end`',
      },
      {
        name: 'final-commands-change',
        harm: 'a command that succeeded is shown as refused',
        from: "const isOpen = sql`commands.status in ('accepted', 'executing')`;",
        to: "const isOpen = sql`commands.status <> 'accepted'`;",
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/transitions/transition-values.ts',
      killers: [
        'test/database/parked-events.test.ts',
        'test/database/unknown-resources.test.ts',
        'test/database/separate-owners.test.ts',
      ],
    },
    [
      {
        name: 'resources-are-not-recorded',
        harm: 'no event ever finds its payment',
        from: 'resourceList(records.resourcesOf(state))',
        to: 'resourceList([])',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/transitions/payment-records.ts',
      killers: [
        'test/database/parked-events.test.ts',
        'test/database/unknown-resources.test.ts',
        'test/database/separate-owners.test.ts',
      ],
    },
    [
      {
        name: 'captures-are-no-resources',
        harm: 'an event of a capture finds no payment',
        from: `    ...state.captures.map(({ captureId }) => ({ id: captureId, kind: 'capture' })),
`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/commands/command-rows.ts',
      killers: ['test/database/commands.test.ts', 'test/database/separate-owners.test.ts'],
    },
    [
      {
        name: 'commands-lose-their-key',
        harm: 'two requests under one key move money twice',
        from: '    idempotency_key: command.idempotencyKey,',
        to: '    idempotency_key: command.id,',
      },
      {
        name: 'keys-of-other-applications-count',
        harm: 'one application gets the answer of another one',
        from: `.where('application', '=', parameter<string>(2))`,
        to: `.where(sql<boolean>\`\${parameter(2)}::text is not null\`)`,
      },
      {
        name: 'taken-commands-are-refused',
        harm: 'a capture under way is told as refused',
        from: `    .where('status', '=', 'accepted')
`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/subjects/payments.ts',
      killers: ['test/database/commands.test.ts', 'test/database/separate-owners.test.ts'],
    },
    [
      {
        name: 'payments-of-others-are-found',
        harm: 'an application reads the payments of another one',
        from: `.where('application', '=', parameter<string>(3))`,
        to: `.where(sql<boolean>\`\${parameter(3)}::text is not null\`)`,
      },
    ],
  ),
  ...mutantsOf({ file: 'libs/database/src/tables/pages.ts', killers: ['test/api/lists.test.ts'] }, [
    {
      name: 'lists-show-what-others-have',
      harm: 'an application reads the payments, refunds or subscriptions of another one',
      from: 'rows.where(sql<boolean>`environment = ${environment} and application = ${application}`)',
      to: 'rows.where(sql<boolean>`environment = ${environment}`)',
    },
  ]),
  ...mutantsOf(
    { file: 'libs/database/src/connection/database.ts', killers: ['test/database/database.test.ts'] },
    [
      {
        name: 'wrong-statements-are-outages',
        harm: 'a bug of ours is answered with "come again" for ever',
        from: `if (typeof code === 'string') return`,
        to: `if (typeof code === 'string') return true ||`,
      },
    ],
  ),
];
