import { z } from 'zod';
import { hasEmail } from '#database/text';

const secondsPerHour = 3_600;

/**
 * Names a body in the OpenAPI document and shows one that works when it is sent.
 *
 * @param example as a caller writes it, not as it is parsed.
 */
export function body(id: string, example: object): { readonly id: string; readonly example: object } {
  return { id, example };
}

const wellFormed = { error: 'must be well-formed Unicode', abort: true };
function isWellFormed(value: string): boolean {
  return value.isWellFormed();
}

/** As patterns, so that the OpenAPI document has them. */
// oxlint-disable-next-line no-control-regex
const noControls = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const noControlsMessage = { error: 'must not hold control characters', abort: true };
const notBlank = /\S/;

/** Text that PostgreSQL, JSON and a log line can all store: no control characters, no lone surrogates. */
export const text = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine(isWellFormed, wellFormed)
    .regex(noControls, noControlsMessage)
    .regex(notBlank, 'must not be blank');

export const redirectUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https address', abort: true })
  .max(2_048)
  .regex(/^https?:\/\/[^\s/?#]/i, { error: 'must be an absolute http or https address', abort: true })
  .refine(isWellFormed, wellFormed)
  .regex(noControls, noControlsMessage)
  .refine(
    (address) => {
      const { username, password } = new URL(address);
      return username === '' && password === '';
    },
    { error: 'must not hold credentials', abort: true },
  )
  // The address is stored unchanged, because the payer's browser is redirected there.
  .refine((address) => !hasEmail(address), 'must not hold an e-mail address');

/** An ISO 8601 instant, parsed to milliseconds since the epoch. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 instant such as "2030-01-31T12:00:00Z"' })
  .transform((iso) => Date.parse(iso));

/** An instant in an answer: ISO 8601 in UTC. */
export const shownInstant = z.iso.datetime();

export function iso(instant: number | string): string {
  return new Date(instant).toISOString();
}

/** The version that a caller compares and sends as `since`. */
export const shownVersion = z.int().meta({
  description:
    'Grows with each line of the timeline only: not with a read that shows nothing new, nor with the times in `pendingOperation` and `updatedAt`.',
});

/** A whole number in a query. */
export const wholeNumber = (least: number, most: number) =>
  z.preprocess(
    (given) => (typeof given === 'string' && numeral.test(given) ? Number(given) : given),
    z.int().min(least).max(most),
  );
const numeral = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** A key is stored with its request and shown in its problems. */
export const idempotencyKeyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** The id of a resource at the provider. */
export const resourceId = z.string().regex(/^[A-Za-z0-9][\w-]{0,127}$/, 'must be an id');

/** The provider takes an approval for 72 hours at most. */
export const approvalTimeoutSeconds = z
  .int()
  .min(1)
  .max(72 * secondsPerHour)
  .default(3 * secondsPerHour);

/** Of payments and subscriptions: docs/api.md describes it in detail. */
export const approvalByWords =
  'Not before this instant the time for the payer’s approval ends. An approval counts while the state is `awaiting_approval`, also a little later than this: the provider is asked a last time, and only then the state says that none counts any more. Null once the payer’s approval can no longer matter.';

/** The fields of a query that ask for the next change of what is shown. */
export const nextChangeFields = {
  wait: wholeNumber(0, 60).optional().meta({
    description: 'Seconds to wait for the next change. A resource that has ended is answered at once.',
  }),
  since: wholeNumber(0, 999_999_999).optional().meta({
    description: 'With `wait`: the version that the caller has seen. A newer version is answered at once.',
  }),
};
export const nextChangeQuery = z.strictObject(nextChangeFields);
export type NextChangeQuery = z.output<typeof nextChangeQuery>;
