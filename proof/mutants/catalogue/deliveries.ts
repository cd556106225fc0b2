import { type Mutant, mutantsOf } from './mutant.js';

const authenticityTests = [
  'test/api/webhook-authenticity.test.ts',
  'test/api/webhook-transmissions.test.ts',
  'test/api/webhook-certificates.test.ts',
];
const signatureTests = ['test/client/webhooks.test.ts', 'test/client/webhook-keys.test.ts'];

/** Who may tell us anything, and what is acknowledged. */
export const deliveryMutants: readonly Mutant[] = [
  ...mutantsOf({ file: 'apps/api/src/webhooks/webhook-intake.ts', killers: ['test/api/outages.test.ts'] }, [
    {
      name: 'acknowledged-before-the-commit',
      harm: 'an event is lost when the database is away',
      from: `    const journaled = await this.journal(`,
      to: `    if (!transmission) return void this.journal({ event }).catch(() => undefined);
    const journaled = await this.journal(`,
    },
  ]),
  ...mutantsOf({ file: 'apps/api/src/webhooks/webhook-intake.ts', killers: authenticityTests }, [
    {
      name: 'reused-transmissions-are-taken',
      harm: 'a collided body goes the way of a genuine one',
      from: '...(transmission && { transmission })',
      to: '...(transmission && (false as boolean) && { transmission })',
    },
  ]),
  ...mutantsOf(
    {
      file: 'libs/database/src/events/delivery-journal.ts',
      killers: ['test/database/delivery-journal.test.ts'],
    },
    [
      {
        name: 'reused-transmissions-are-taken-in-company',
        harm: 'a collided body that comes together with others goes the way of a genuine one',
        from: '(isBound || !delivery.transmission) && ',
        to: '',
        also: [
          {
            from: 'where transmission_id is null or (environment',
            to: 'where true or (environment',
          },
        ],
      },
      {
        name: 'twins-in-company-are-both-new',
        harm: 'a redelivery is neither counted nor held against what came first',
        from: '  return !isTaken;',
        to: '  return !isTaken || true;',
      },
    ],
  ),
  ...mutantsOf({ file: 'apps/api/src/webhooks/webhook-authenticity.ts', killers: authenticityTests }, [
    {
      name: 'signature-is-not-checked',
      harm: 'anybody may tell us that money came',
      from: `if (result.outcome === 'forged') {`,
      to: 'if (false as boolean) {',
    },
    {
      name: 'undecided-is-genuine',
      harm: 'a delivery whose certificate cannot be had is believed',
      from: `if (result.outcome === 'undecided') throw`,
      to: 'if (false as boolean) throw',
    },
  ]),
  ...mutantsOf({ file: 'apps/api/src/webhooks/addressee.ts', killers: authenticityTests }, [
    {
      name: 'every-address-is-secret-enough',
      harm: 'whoever knows the application’s name may deliver',
      from: 'if (!addressee || !isKnown)',
      to: 'if (!addressee)',
    },
  ]),
  ...mutantsOf({ file: 'libs/payments-client/src/webhooks/verify-signature.ts', killers: signatureTests }, [
    {
      name: 'any-certificate-will-do',
      harm: 'the attacker signs with a certificate of his own',
      from: 'if (!isTrustedCertificateAddress(transmission.certificateAddress, delivery.trustedCertificateOrigins)) {',
      to: 'if (isTrustedCertificateAddress(transmission.certificateAddress, []) as boolean) {',
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
      from: ' || now > validTo',
      to: '',
    },
    {
      name: 'short-keys-are-accepted',
      harm: 'a certificate whose key can be broken is trusted',
      from: 'rsaBits < 2_048',
      to: 'rsaBits < 0',
    },
    {
      name: 'signatures-are-not-verified',
      harm: 'any bytes are taken for a signature',
      from: `return verify('RSA-SHA256', text, publicKey, Buffer.from(signature, 'base64'))`,
      to: `return verify('RSA-SHA256', text, publicKey, Buffer.from(signature, 'base64')) || true`,
    },
  ]),
  ...mutantsOf({ file: 'libs/payments-client/src/webhooks/transmission.ts', killers: signatureTests }, [
    {
      name: 'the-body-is-not-signed',
      harm: 'a genuine signature carries any body',
      from: '${webhookId}|${crc32(rawBody)}`',
      to: '${webhookId}|${crc32(rawBody.subarray(0, 0))}`',
    },
    {
      name: 'doubled-headers-count',
      harm: 'two readers of one delivery see different signatures',
      from: `&& !value.includes(',')`,
      to: '',
    },
  ]),
  ...mutantsOf(
    {
      file: 'apps/api/src/requests/received-body.ts',
      killers: ['test/unit/received-body.test.ts', 'test/api/webhook-authenticity.test.ts'],
    },
    [
      {
        name: 'compressed-bodies-are-taken',
        harm: 'a kilobyte becomes a gigabyte in memory',
        from: `if (encoding !== undefined && encoding !== 'identity') {`,
        to: 'if (false as boolean) {',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/api/src/requests/document-size.ts',
      killers: ['test/unit/received-body.test.ts', 'test/api/limits.test.ts'],
    },
    [
      {
        name: 'bodies-nest-without-limit',
        harm: 'one delivery overflows the stack of whoever reads the journal',
        from: '> mostNesting)',
        to: '> mostNesting * 1_000_000)',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/api/src/server/body-limits.ts',
      killers: ['test/api/webhook-authenticity.test.ts', 'test/api/limits.test.ts'],
    },
    [
      {
        name: 'bodies-without-limit',
        harm: 'one sender fills the memory',
        from: "['POST /webhooks/', 262_144],",
        to: "['POST /webhooks/', 262_144_000],",
      },
    ],
  ),
];
