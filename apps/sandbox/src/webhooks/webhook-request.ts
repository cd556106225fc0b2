import { z } from 'zod';
import { EVERY_EVENT_TYPE, isEventType } from '../events/event-types.js';
import { boundedArray } from '../http/bounded-array.js';
import { orAbsent, orDefault, withoutReadOnly } from '../http/validation.js';
import { withoutNulls } from '../http/without-nulls.js';

const url = z.url({ protocol: /^https?$/ }).max(2048);

const eventTypes = boundedArray(z.looseObject({ name: z.string().max(100) }), 1, 500).transform(
  (types, refinement) => {
    types.forEach(({ name }, index) => {
      if (isSubscribable(name)) return;
      refinement.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: 'Not a valid webhook event name',
      });
    });
    const names = [...new Set(types.map(({ name }) => name))];
    return names.includes(EVERY_EVENT_TYPE) ? [EVERY_EVENT_TYPE] : names;
  },
);

export const webhookRequest = z.preprocess(
  withoutNulls,
  withoutReadOnly(['id', 'links'], z.strictObject({ url, event_types: eventTypes })),
);

/** JSON Patch, of which only these two replacements are allowed. */
export const webhookPatch = z
  .array(
    z.discriminatedUnion('path', [
      z.strictObject({ op: z.literal('replace'), path: z.literal('/url'), value: url }),
      z.strictObject({ op: z.literal('replace'), path: z.literal('/event_types'), value: eventTypes }),
    ]),
  )
  .min(1)
  .max(10);

/** Every webhook of the application (by default) or of the account that owns it; those that subscribe to a type. */
export const webhookListQuery = z.strictObject({
  anchor_type: orDefault(z.enum(['APPLICATION', 'ACCOUNT']).default('APPLICATION')),
  event_type: orAbsent(z.string().refine(isSubscribable, 'Not a valid webhook event name')),
});

export type WebhookListQuery = z.output<typeof webhookListQuery>;

function isSubscribable(name: string): boolean {
  return name === EVERY_EVENT_TYPE || isEventType(name);
}
