export type LinkedResource =
  'payment' | 'authorization' | 'capture' | 'sale' | 'billing-agreements' | 'payouts';

/**
 * The id that a link names, for answers that give a related resource only as a link. Links are read for ids
 * and never followed: an answer must not choose where our credentials are sent.
 */
export function linkedId(
  links: readonly { readonly href: string }[] | null | undefined,
  resource: LinkedResource,
): string | undefined {
  const segment = `/v1/payments/${resource}/`;
  for (const { href } of links ?? []) {
    const at = href.indexOf(segment);
    if (at === -1) continue;
    const id = /^[A-Za-z0-9][\w-]{0,127}/.exec(href.slice(at + segment.length))?.[0];
    if (id !== undefined) return id;
  }
  return undefined;
}
