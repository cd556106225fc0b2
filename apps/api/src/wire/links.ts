import { z } from 'zod';
import type { SubjectKind } from '#workflows/contract';
import type { ApiConfig } from '../injected/api-config.js';

/** Links to further operations; only those that are useful in the current state. */
export const shownLinks = z.array(
  z.object({ rel: z.string(), href: z.string(), method: z.enum(['GET', 'POST']) }),
);
type Link = z.output<typeof shownLinks>[number];

export function toRead(rel: string, href: string): Link {
  return { rel, href, method: 'GET' };
}

export function toAsk(rel: string, href: string): Link {
  return { rel, href, method: 'POST' };
}

/** The commands that a resource shows as allowed: its own, and those that all have. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- Without it the answer's type would not name them.
export function shownActions<const Action extends string>(own: readonly Action[]) {
  return z.array(z.enum([...own, 'check', 'decide'])).meta({
    description:
      'The commands that the state allows now; the link whose `rel` is the same word has the address of each. `check`: the provider can be asked at once about the call in `pendingOperation`. `decide`: a review awaits its decision.',
  });
}

export function commonActions({ status, state }: LinkedRow): ('check' | 'decide')[] {
  return [
    ...(state.openStep === undefined ? [] : (['check'] as const)),
    ...(status === 'needs_review' ? (['decide'] as const) : []),
  ];
}

type LinkedRow = { readonly status: string; readonly state: { readonly openStep?: unknown } };

/** The links to the evidence and the decision, while the outcome of a call is unknown or a review is open. */
export function toReview(row: LinkedRow, self: string): Link[] {
  const isOfUse = row.status === 'needs_review' || row.state.openStep !== undefined;
  return [
    ...(isOfUse ? [toRead('review', `${self}/review`)] : []),
    ...(row.status === 'needs_review' ? [toAsk('decide', `${self}/review/decision`)] : []),
    ...toCheck(row, self),
  ];
}

export function toCheck({ state }: Pick<LinkedRow, 'state'>, self: string): Link[] {
  return state.openStep === undefined ? [] : [toAsk('check', `${self}/check`)];
}

/** The address at which a subject is read. */
export function subjectAddress(
  kind: SubjectKind,
  id: string,
  { publicUrl }: Pick<ApiConfig, 'publicUrl'>,
): string {
  return `${publicUrl}/v1/${kind}s/${id}`;
}
