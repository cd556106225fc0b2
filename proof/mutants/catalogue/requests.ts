import { type Mutant, mutantsOf } from './mutant.js';

/** What order services and payers ask for. */
export const requestMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'apps/api/src/commands/idempotency.ts',
      killers: ['test/unit/same-request.test.ts', 'test/api/idempotency.test.ts'],
    },
    [
      {
        name: 'bodies-are-not-compared',
        harm: 'another amount under a used key gets the answer of the first',
        from: 'earlier.body_hash === request.bodyHash &&',
        to: '',
      },
      {
        name: 'keys-are-shared-by-payments',
        harm: 'a capture of one payment is answered with that of another',
        from: '(request.subjectId === undefined || earlier.subject_id === request.subjectId)',
        to: 'true',
      },
      {
        name: 'kinds-are-not-compared',
        harm: 'a void under the key of a capture is answered with "captured"',
        from: 'earlier.kind === request.kind &&',
        to: '',
      },
      {
        name: 'order-of-members-counts',
        harm: 'the same request, written by another library, is refused as another one',
        from: `
    .sort(([one], [other]) => (one < other ? -1 : 1))`,
        to: '',
      },
      {
        name: 'requests-may-pose-as-policies',
        harm: 'a request answers for what the engine itself decided',
        from: '(prefix) => key.startsWith(prefix)',
        to: '(prefix) => key === prefix',
      },
    ],
  ),
  ...mutantsOf({ file: 'libs/runs/src/runs.ts', killers: ['test/api/run-starts.test.ts'] }, [
    {
      name: 'runs-are-started-twice',
      harm: 'one order becomes two payments at the provider',
      from: `await this.startUnless('REJECT_DUPLICATE', run);`,
      to: `await this.startUnless('ALLOW_DUPLICATE' as 'REJECT_DUPLICATE', run);`,
    },
  ]),
  ...mutantsOf({ file: 'apps/api/src/commands/starting.ts', killers: ['test/api/outages.test.ts'] }, [
    {
      name: 'lost-starts-are-forgotten',
      harm: 'an order that was accepted while Temporal was away is never begun',
      from: 'if (accepted.version > 0) return false;',
      to: 'if (accepted.version >= 0) return false;',
    },
  ]),
  ...mutantsOf({ file: 'apps/api/src/commands/command-sender.ts', killers: ['test/api/commands.test.ts'] }, [
    {
      name: 'repeated-commands-are-not-handed-over',
      harm: 'a capture that was accepted while Temporal was away is never made',
      from: `command.status === 'accepted' && (await`,
      to: `command.status !== 'accepted' && (await`,
    },
  ]),
  ...mutantsOf({ file: 'apps/api/src/payments/payer-return.ts', killers: ['test/api/payer.test.ts'] }, [
    {
      name: 'anybody-is-the-payer',
      harm: 'whoever knows an address approves the payment',
      from: "if (approvalToken === undefined || !isSameSecret(token, approvalToken)) throw noSuch('payment');",
      to: "if (approvalToken === undefined) throw noSuch('payment');",
    },
    {
      name: 'parallel-returns-are-many',
      harm: 'three returns of one payer are three messages to the run',
      from: 'id: `payer-approved:${PayerID}:${payment.version}`,',
      to: 'id: `payer-approved:${PayerID}:${Math.random()}`,',
    },
  ]),
  ...mutantsOf({ file: 'apps/api/src/auth/api-keys.ts', killers: ['test/api/access.test.ts'] }, [
    {
      name: 'any-key-opens',
      harm: 'an order service that nobody knows moves money',
      from: `timingSafeEqual(given, Buffer.from(expected, 'hex'))`,
      to: `given.length === Buffer.from(expected, 'hex').length || timingSafeEqual(given, given)`,
    },
  ]),
  ...mutantsOf({ file: 'apps/api/src/wire/wire-money.ts', killers: ['test/api/payment-requests.test.ts'] }, [
    {
      name: 'amounts-of-zero',
      harm: 'a payment of nothing is ordered',
      from: 'money.minor === 0 ?',
      to: 'money.minor < 0 ?',
    },
    {
      name: 'amounts-beyond-the-provider',
      harm: 'an amount that the provider cannot take is ordered, and ends declined',
      from: 'if (formatMoney(money).length <= longest) return undefined;',
      to: 'if (formatMoney(money).length > 0) return undefined;',
    },
  ]),
  ...mutantsOf(
    { file: 'apps/api/src/payments/command-requests.ts', killers: ['test/api/commands.test.ts'] },
    [
      {
        name: 'captures-in-another-currency',
        harm: '100 yen are captured as 100 cents',
        from: 'if (amount && amount.currency !== currency) {',
        to: 'if (false as boolean) {',
      },
    ],
  ),
];
