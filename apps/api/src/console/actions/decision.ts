import type { z } from 'zod';
import type { ActionField, AskedAction, ConsoleAction } from './action.js';
import { readForm } from './read-form.js';

const labels: Readonly<Record<string, string>> = {
  happened: 'It happened',
  did_not_happen: 'It did not happen',
  void: 'Void the hold',
  keep: 'Keep it as it is',
};

/** For steps that may be decided while the provider cannot be read. */
export const unreadWord = 'Accept it on my word if the provider cannot be read';

const effects: Readonly<Record<string, string>> = {
  happened: 'The engine reads the provider. If it does not show the opposite, the step counts as done.',
  did_not_happen:
    'The engine reads the provider. If it does not show the opposite, the step is given up and not repeated.',
  void: 'The engine voids the hold at the provider.',
  keep: 'The payment continues with the amount that the provider shows; at most the ordered amount can be captured.',
};

/**
 * @param schema the API's own request.
 * @param word what the operator's word alone says in this review; undefined where it never counts.
 */
export function decisionAction<Request extends { readonly decision: string }>(
  {
    possible,
    reason,
    schema,
    evidence = 'what you found there, if anything',
    word,
  }: {
    readonly possible: readonly string[];
    readonly reason: string | undefined;
    readonly schema: z.ZodType<Request>;
    readonly evidence?: string;
    readonly word: string | undefined;
  },
  perform: (request: Request, ...call: Parameters<AskedAction['perform']>) => Promise<unknown>,
): ConsoleAction {
  const fields: ActionField[] = [
    {
      name: 'decision',
      label: 'Decision',
      type: 'choice',
      options: possible.map((value) => ({ value, label: labels[value] ?? value })),
    },
    {
      name: 'resourceId',
      label: 'Evidence',
      hint: `The provider’s id of ${evidence}. The engine reads it.`,
      type: 'text',
    },
    ...(word === undefined ? [] : [{ name: 'isUnverified', label: word, type: 'check' } as const]),
  ];
  return {
    name: 'decide',
    label: 'Decide the review',
    fields,
    introduction: reason,
    read: ({ decision, resourceId = '', isUnverified, reason: why }) =>
      readForm(
        schema,
        {
          decision,
          reason: why,
          ...(resourceId.trim() !== '' && { evidence: { resourceId: resourceId.trim() } }),
          ...(isUnverified === 'true' && { isUnverified: true }),
        },
        (request) => ({
          effects: [effects[request.decision] ?? request.decision],
          detail: request.decision,
          perform: (caller, key) => perform(request, caller, key),
        }),
        { evidence: 'resourceId' },
      ),
  };
}
