import { z } from 'zod';
import {
  type Frequency,
  type PlanPhase,
  type PlanTerms,
  frequencies,
  planStatuses,
} from '#workflows/lifecycle/plan';
import { body, text } from '../wire/fields.js';
import { subjectFilters } from '../wire/filters.js';
import { idCursor, pageFields } from '../wire/pages.js';
import { currencyCode, decimal, decimalAboveZero, minorIn } from '../wire/wire-money.js';

/** No cycle is longer than a year. */
const longestInterval: Readonly<Record<Frequency, number>> = { DAY: 365, WEEK: 52, MONTH: 12, YEAR: 1 };

const mostCycles = 999;

const amount = z
  .string()
  .max(20)
  .meta({ description: 'Decimal string in the plan’s currency.', pattern: decimal, examples: ['9.00'] });

const phase = z.strictObject({
  name: text(128).optional(),
  frequency: z.enum(frequencies),
  interval: z
    .int()
    .min(1)
    .max(365)
    .default(1)
    .meta({ description: 'Units of frequency between two cycles.' }),
  cycles: z.int().min(0).max(mostCycles).meta({ description: '0: without an end.' }),
  amount,
  shipping: amount.optional(),
  tax: amount.optional(),
});
type Phase = z.output<typeof phase>;

/** Body of POST /v1/plans. */
export const planOrderRequest = z
  .strictObject({
    name: text(128).meta({ examples: ['Coffee of the month'] }),
    description: text(127).meta({ examples: ['A bag of beans each month'] }),
    currency: currencyCode,
    regular: phase
      .extend({ amount: amount.meta({ pattern: decimalAboveZero }) })
      .meta({ description: 'The regular price of a cycle.' }),
    trial: phase
      .extend({ cycles: z.int().min(1).max(mostCycles).meta({ description: 'How many.' }) })
      .optional()
      .meta({ description: 'The first cycles; they may be free.' }),
    setupFee: amount.optional().meta({ description: 'Collected once, when a subscription becomes active.' }),
    setupFeeFailure: z
      .enum(['continue', 'cancel'])
      .default('continue')
      .meta({ description: 'Whether a declined setup fee stays outstanding or ends the subscription.' }),
    autoBillsOutstanding: z
      .boolean()
      .default(true)
      .meta({ description: 'Bill the outstanding amount of failed payments with the next cycle.' }),
    maxFailedPayments: z.int().min(0).max(999).default(0).meta({
      description:
        'The number of consecutive failed payments after which a subscription is suspended; 0: never.',
    }),
  })
  .transform((request, context): PlanTerms => {
    const read = (value: string | undefined, ...path: string[]): number =>
      value === undefined ? 0 : minorIn(request.currency, value, path, context);
    const refuse = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', path, message });
    const phaseOf = (given: Phase, name: 'regular' | 'trial'): PlanPhase => {
      const longest = longestInterval[given.frequency];
      if (given.interval > longest)
        refuse(`must be at most ${longest} for ${given.frequency}`, name, 'interval');
      const minor = read(given.amount, name, 'amount');
      return {
        name: given.name ?? (name === 'trial' ? 'Trial' : 'Regular payment'),
        type: name === 'trial' ? 'TRIAL' : 'REGULAR',
        frequency: given.frequency,
        interval: given.interval,
        cycles: given.cycles,
        minor,
        ...(given.shipping !== undefined && { shippingMinor: read(given.shipping, name, 'shipping') }),
        ...(given.tax !== undefined && { taxMinor: read(given.tax, name, 'tax') }),
      };
    };
    const regular = phaseOf(request.regular, 'regular');
    if (regular.minor === 0) refuse('must be above zero', 'regular', 'amount');
    return {
      name: request.name,
      description: request.description,
      currency: request.currency,
      phases: [...(request.trial ? [phaseOf(request.trial, 'trial')] : []), regular],
      setupFeeMinor: read(request.setupFee, 'setupFee'),
      setupFeeFailure: request.setupFeeFailure,
      autoBillsOutstanding: request.autoBillsOutstanding,
      maxFailedPayments: request.maxFailedPayments,
    };
  })
  .meta(
    body('PlanOrder', {
      name: 'Coffee of the month',
      description: 'A bag of beans each month',
      currency: 'USD',
      regular: { frequency: 'MONTH', cycles: 12, amount: '9.00' },
      setupFee: '1.00',
    }),
  );
export type PlanOrderRequest = z.output<typeof planOrderRequest>;

/** Body of POST /v1/plans/{id}/deactivate: nothing, or an empty object. */
export const deactivateRequest = z.strictObject({}).meta(body('DeactivateRequest', {})).optional();

/** Query of GET /v1/plans. */
export const planListQuery = z.strictObject({
  ...subjectFilters(planStatuses),
  ...pageFields(idCursor('plan')),
});
