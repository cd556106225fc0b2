import { z } from 'zod';
import { hasEmail } from '#database/text';

const secondsPerHour = 3_600;

const wellFormed = { error: 'must be well-formed Unicode', abort: true };
function isWellFormed(value: string): boolean {
  return value.isWellFormed();
}

const noControls = { error: 'must not hold control characters', abort: true };
function hasNoControls(value: string): boolean {
  return !/\p{Cc}/u.test(value);
}

/** Text that PostgreSQL, JSON and a log line can all store: no control characters, no lone surrogates. */
export const text = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine(isWellFormed, wellFormed)
    .refine(hasNoControls, noControls)
    .refine((value) => value.trim() !== '', 'must not be blank');

export const redirectUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https address', abort: true })
  .max(2_048)
  .refine(isWellFormed, wellFormed)
  .refine(hasNoControls, noControls)
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

/** The version that a caller compares and sends as `since`. */
export const shownVersion = z.int().meta({
  description:
    'Grows with each line of the timeline only: not with a read that shows nothing new, nor with the times in `pendingOperation` and `updatedAt`.',
});

/** A whole number in a query. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= least && number <= most, `must be from ${least} to ${most}`);

/** The id of a resource at the provider. */
export const resourceId = z.string().regex(/^[A-Za-z0-9][\w-]{0,127}$/, 'must be an id');

/** The provider takes an approval for 72 hours at most. */
export const approvalTimeoutSeconds = z
  .int()
  .min(1)
  .max(72 * secondsPerHour)
  .default(3 * secondsPerHour);

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
