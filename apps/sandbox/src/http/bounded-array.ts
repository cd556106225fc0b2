import { z } from 'zod';
import { MOST_DETAILS, UNKNOWN_FIELD } from './validation.js';

/**
 * An array whose length is checked before its elements, and whose elements are checked one by one until more are wrong
 * than an answer names: `z.array` keeps an issue for each element of a large body.
 */
export function boundedArray<Element extends z.ZodType>(element: Element, least: number, most: number) {
  return z
    .array(z.unknown())
    .min(least)
    .max(most)
    .transform((values, refinement): z.output<Element>[] => {
      const checked: z.output<Element>[] = [];
      let wrong = 0;
      for (const [index, value] of values.entries()) {
        const result = element.safeParse(value);
        if (result.success) {
          checked.push(result.data);
          continue;
        }
        for (const issue of result.error.issues) refuse(refinement, issue, index);
        wrong += 1;
        if (wrong > MOST_DETAILS) break;
      }
      return wrong === 0 ? checked : z.NEVER;
    });
}

/** Unknown keys alone would not stop zod from running what comes after the array, which has no elements then. */
function refuse(refinement: z.core.$RefinementCtx, issue: z.core.$ZodIssue, index: number): void {
  const path = [index, ...issue.path];
  if (issue.code !== 'unrecognized_keys') {
    refinement.addIssue({ ...issue, path });
    return;
  }
  for (const key of issue.keys.slice(0, MOST_DETAILS + 1))
    refinement.addIssue({ code: 'custom', path: [...path, key], message: UNKNOWN_FIELD });
}
