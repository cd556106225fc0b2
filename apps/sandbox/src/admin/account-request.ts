import { z } from 'zod';
import { identifier } from '../http/validation.js';

const name = z
  .string()
  .min(1)
  .max(140)
  .regex(/^[^\0]*$/);
const environment = z.enum(['sandbox', 'live']);
const kind = z.enum(['business', 'personal']);

const changeable = {
  email: z.email().max(127),
  firstName: name.nullable(),
  lastName: name.nullable(),
  businessName: name.nullable(),
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  fundingDeclines: z.boolean(),
};

export const newAccountRequest = z
  .strictObject({
    ...z.strictObject(changeable).partial().shape,
    id: identifier.optional(),
    environment: environment.default('sandbox'),
    kind: kind.default('personal'),
    email: changeable.email,
  })
  .transform(({ id: chosenId, environment: itsEnvironment, kind: itsKind, ...fields }) => ({
    ...(chosenId !== undefined && { id: chosenId }),
    environment: itsEnvironment,
    kind: itsKind,
    ...columnsOf(fields),
    email: fields.email,
  }));

export const accountChangeRequest = z
  .strictObject(changeable)
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Nothing to change')
  .transform(columnsOf);

export const accountListQuery = z.strictObject({
  environment: environment.optional(),
  kind: kind.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  /** The id of the last account of the page before. */
  after: identifier.optional(),
});

interface Changeable {
  email?: string | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  businessName?: string | null | undefined;
  countryCode?: string | undefined;
  fundingDeclines?: boolean | undefined;
}

function columnsOf(change: Changeable) {
  const { email, firstName, lastName, businessName, countryCode, fundingDeclines } = change;
  return {
    ...(email !== undefined && { email }),
    ...(firstName !== undefined && { first_name: firstName }),
    ...(lastName !== undefined && { last_name: lastName }),
    ...(businessName !== undefined && { business_name: businessName }),
    ...(countryCode !== undefined && { country_code: countryCode }),
    ...(fundingDeclines !== undefined && { funding_declines: fundingDeclines }),
  };
}
