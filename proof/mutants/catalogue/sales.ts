import { type Mutant, mutantsOf } from './mutant.js';

/** Money that is taken at once. */
export const saleMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/sale.ts',
      killers: ['test/lifecycle/payment/sale.test.ts'],
    },
    [
      {
        name: 'other-amount-of-a-sale-is-taken',
        harm: 'the payer has paid another price than was ordered, and nobody is asked',
        from: `if (sale.status !== 'denied' && isOtherAmount(sold)) {`,
        to: 'if (false as boolean) {',
      },
      {
        name: 'ended-sale-is-contradicted-unseen',
        harm: 'a sale that is completed on record and denied at the provider is seen by nobody',
        from: `if (known.status !== 'pending' && shown.status !== 'pending' && shown.status !== known.status) {`,
        to: 'if (false as boolean) {',
      },
      {
        name: 'sale-under-review-goes-on-by-itself',
        harm: 'a sale of another amount is called completed while a person is still asked about it',
        from: `if (state.status === 'needs_review' && sale.status !== 'denied') return moved(read);`,
        to: '',
      },
      {
        name: 'sale-after-the-end-is-old-news',
        harm: 'money that was taken for a payment that expired is seen by nobody',
        from: `: shown.status !== 'denied'`,
        to: ': (false as boolean)',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/provider/payment-answer.ts',
      killers: ['test/unit/sale-outcome.test.ts'],
    },
    [
      {
        name: 'approved-payment-is-a-completed-sale',
        harm: 'a denied or pending sale is read as a payer who has yet to approve',
        from: `if (sale) return { type: 'saleAnswered', providerPaymentId: payment.id, sale };`,
        to: `if (sale && payment.state === 'approved') return { type: 'saleAnswered', providerPaymentId: payment.id, sale };`,
      },
    ],
  ),
];
