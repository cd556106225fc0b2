import { z } from 'zod';
import { MOST_DETAILS } from './validation.js';

/**
 * An array whose length is checked before its elements are, and whose elements are checked one after the other until
 * more are wrong than an answer names: `z.array` keeps an issue for each element of a large body.
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
        for (const issue of result.error.issues)
          refinement.addIssue({ ...issue, path: [index, ...issue.path] });
        wrong += 1;
        if (wrong > MOST_DETAILS) break;
      }
      return wrong === 0 ? checked : z.NEVER;
    });
}
