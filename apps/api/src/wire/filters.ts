import { z } from 'zod';
import { instant, resourceId } from './fields.js';

/** Several values of a query: `state=a&state=b`, or `state=a,b`. */
export function several<const Value extends string>(values: readonly [Value, ...Value[]] | readonly Value[]) {
  return z.preprocess(
    (given) => (typeof given === 'string' ? given.split(',') : given),
    z.array(z.enum(values as readonly [Value, ...Value[]])).max(values.length),
  );
}

/** The filters of every list of subjects. */
export function subjectFilters<const Status extends string>(statuses: readonly Status[]) {
  return {
    state: several(statuses)
      .optional()
      .meta({ description: 'Only those in one of these states: `state=a&state=b`, or `state=a,b`.' }),
    createdFrom: instant.optional().meta({ description: 'Only those created then or later.' }),
    createdTo: instant.optional().meta({ description: 'Only those created before.' }),
    providerId: resourceId
      .optional()
      .meta({ description: 'Only the one to which this id of the provider belongs, or a part of it.' }),
  };
}
