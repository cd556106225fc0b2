import { z } from 'zod';
import { optionalText } from './received.js';

/** A type of event that a webhook can subscribe to (2.7). */
export interface EventType {
  readonly name: string;
  readonly description: string | undefined;
}

const eventType = z
  .object({ name: z.string(), description: optionalText })
  .transform((wire): EventType => ({ name: wire.name, description: wire.description ?? undefined }));

export const eventTypeList: z.ZodType<readonly EventType[]> = z
  .object({ event_types: z.array(eventType).nullish() })
  .transform((wire) => wire.event_types ?? []);
