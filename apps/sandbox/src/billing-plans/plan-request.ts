import { z } from 'zod';
import { orAbsent, orDefault, readOnly } from '../http/validation.js';
import { webAddress } from '../payments/payment-request.js';
import { withoutNulls } from '../http/without-nulls.js';

const FREQUENCIES = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

/** Public clients write enumerations in any case: `yes`, `Month`, `fixed`. */
function anyCase<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .string()
    .max(20)
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(values));
}

/** A whole number as the interface carries it, in a string; some clients send a number. */
function wholeNumber(largest: number) {
  return z
    .preprocess(
      (given) => (typeof given === 'number' ? String(given) : given),
      z.string().regex(/^\d{1,4}$/, 'Must be a whole number in a string'),
    )
    .transform(Number)
    .pipe(z.number().max(largest));
}

/** Read against the plan's one currency by the rules of plans. */
export const money = z.strictObject({ value: z.string().max(10), currency: z.string().length(3) });

export type Money = z.output<typeof money>;

const chargeModel = z.strictObject({
  id: z.string().max(128).optional(),
  type: anyCase(['SHIPPING', 'TAX']),
  amount: money,
});

const paymentDefinition = z.strictObject({
  id: z.string().max(128).optional(),
  name: z.string().min(1).max(128),
  type: anyCase(['REGULAR', 'TRIAL']),
  frequency: anyCase(FREQUENCIES),
  frequency_interval: wholeNumber(9999),
  amount: money,
  cycles: wholeNumber(999),
  charge_models: z.array(chargeModel).max(2).optional(),
});

export type PaymentDefinitionRequest = z.output<typeof paymentDefinition>;

const preferenceFields = z.strictObject({
  id: readOnly,
  setup_fee: money.optional(),
  return_url: webAddress.optional(),
  cancel_url: webAddress.optional(),
  notify_url: webAddress.optional(),
  max_fail_attempts: wholeNumber(999).optional(),
  auto_bill_amount: orAbsent(anyCase(['YES', 'NO'])),
  autobill_amount: orAbsent(anyCase(['YES', 'NO'])),
  initial_fail_amount_action: orAbsent(anyCase(['CONTINUE', 'CANCEL'])),
  initial_amount_fail_action: orAbsent(anyCase(['CONTINUE', 'CANCEL'])),
  accepted_payment_type: z.string().max(128).optional(),
  char_set: z.string().max(64).optional(),
});

/** Section 2.5 and the public API spell two fields differently; both may be sent when they are equal. */
const TWO_SPELLINGS = [
  ['autobill_amount', 'auto_bill_amount'],
  ['initial_amount_fail_action', 'initial_fail_amount_action'],
] as const;

/** Any part of the preferences: what a change, or an agreement, replaces in those of the plan. */
export const preferenceChanges = preferenceFields.transform((fields, refinement) => {
  for (const [name, publicName] of TWO_SPELLINGS) {
    const [value, publicValue] = [fields[name], fields[publicName]];
    if (value !== undefined && publicValue !== undefined && value !== publicValue) {
      refinement.addIssue({ code: 'custom', path: [name], message: `Contradicts ${publicName}` });
    }
  }
  return {
    setupFee: fields.setup_fee,
    returnUrl: fields.return_url,
    cancelUrl: fields.cancel_url,
    notifyUrl: fields.notify_url,
    maxFailAttempts: fields.max_fail_attempts,
    autoBillAmount: fields.autobill_amount ?? fields.auto_bill_amount,
    initialFailAmountAction: fields.initial_amount_fail_action ?? fields.initial_fail_amount_action,
    acceptedPaymentType: fields.accepted_payment_type,
    charSet: fields.char_set,
  };
});

export type PreferenceChanges = z.output<typeof preferenceChanges>;

const planType = z.string().regex(/^(fixed|infinite)$/i, 'Must be FIXED or INFINITE');

/** Fields of a plan that only this service has. */
const readOnlyFields = {
  id: readOnly,
  payee: readOnly,
  create_time: readOnly,
  update_time: readOnly,
  links: readOnly,
};

const planFields = z.strictObject({
  ...readOnlyFields,
  state: readOnly,
  name: z.string().min(1).max(128),
  description: z.string().min(1).max(127),
  type: planType,
  payment_definitions: z.array(paymentDefinition).min(1).max(2),
  merchant_preferences: preferenceChanges,
});

/** Section 2.5 of the interface. */
export const planRequest = z.preprocess(withoutNulls, planFields);

export type PlanRequest = z.output<typeof planRequest>;

const planState = anyCase(['CREATED', 'ACTIVE', 'INACTIVE', 'DELETED']);

const planChanges = z.strictObject({
  ...readOnlyFields,
  state: orAbsent(planState),
  name: z.string().min(1).max(128).optional(),
  description: z.string().min(1).max(127).optional(),
  type: planType.optional(),
  payment_definitions: z.array(paymentDefinition).min(1).max(2).optional(),
  merchant_preferences: preferenceChanges.optional(),
});

export type PlanChanges = z.output<typeof planChanges>;

/** A definition keeps its kind: for an agreement, a trial that becomes regular would have no meaning. */
const definitionChanges = paymentDefinition.omit({ id: true, type: true }).partial();

export type DefinitionChanges = z.output<typeof definitionChanges>;

const DEFINITION_PATH = /^\/payment-definitions\/([A-Za-z0-9-]{1,64})$/;
const PREFERENCE_PATHS = ['/merchant-preferences', '/merchant_preferences'];

export type PlanPatch =
  | { of: 'plan'; changes: PlanChanges }
  | { of: 'preferences'; changes: PreferenceChanges }
  | { of: 'definition'; id: string; changes: DefinitionChanges };

const planPatch = z
  .strictObject({ op: z.literal('replace'), path: z.string().max(128), value: z.unknown() })
  .transform(({ path, value }, refinement): PlanPatch => {
    const read = <Schema extends z.ZodType>(schema: Schema): z.output<Schema> => {
      const result = schema.safeParse(value);
      if (result.success) return result.data;
      for (const issue of result.error.issues) {
        refinement.addIssue({ ...issue, path: ['value', ...issue.path] });
      }
      return z.NEVER;
    };
    if (path === '/') return { of: 'plan', changes: read(planChanges) };
    if (PREFERENCE_PATHS.includes(path)) return { of: 'preferences', changes: read(preferenceChanges) };
    const id = DEFINITION_PATH.exec(path)?.[1];
    if (id !== undefined) return { of: 'definition', id, changes: read(definitionChanges) };
    refinement.addIssue({ code: 'custom', path: ['path'], message: 'This path cannot be replaced' });
    return z.NEVER;
  });

/** A JSON Patch that may only `replace`: the plan, its preferences or one of its definitions. */
export const planPatches = z.preprocess(withoutNulls, z.array(planPatch).min(1).max(10));

const count = z.coerce.number().int();

export const planListQuery = z.strictObject({
  /** Without it, the plans that were never activated: the public default. */
  status: orDefault(anyCase(['CREATED', 'ACTIVE', 'INACTIVE', 'ALL']).default('CREATED')),
  /** Counted from 0. */
  page: orDefault(count.min(0).max(100_000).default(0)),
  page_size: orDefault(count.min(1).max(20).default(10)),
  total_required: orDefault(anyCase(['YES', 'NO', 'TRUE', 'FALSE']).default('NO')),
});

export type PlanListQuery = z.output<typeof planListQuery>;
