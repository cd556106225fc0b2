import type { PaymentsClient } from '#payments-client';

/** The most by which the provider's clock may differ from ours without its answers showing it. */
export const clockSkewMs = 120_000;

/** What a client knows of the provider's clock. */
export type ProviderTime = Pick<PaymentsClient, 'clockOffsets'>;

/** A span of our time, in milliseconds since the epoch, as the provider's clock may show it. */
export function spanAtProvider(
  { clockOffsets: { least, most } }: ProviderTime,
  { since, until }: { readonly since: Date; readonly until: Date },
): { readonly from: number; readonly to: number } {
  return {
    from: since.getTime() + least - clockSkewMs,
    to: until.getTime() + most + clockSkewMs,
  };
}

/**
 * Whether nothing found in a span proves absence, now that the search has been answered: its answers may be the first to
 * show the provider's clock, and a clock that none shows is not known.
 */
export function isAllSearched(
  time: ProviderTime,
  searched: { readonly from: number; readonly to: number },
  sought: Parameters<typeof spanAtProvider>[1],
): boolean {
  const { from, to } = spanAtProvider(time, sought);
  const isCovered = searched.from - clockSkewMs <= from && to <= searched.to + clockSkewMs;
  return isCovered && !time.clockOffsets.isUnknown;
}

/** A smaller difference is left to the overlap of searches; and the shown one is exact to a few seconds. */
const clockToleranceMs = 10_000;

/** A span of our time as the provider's clocks date it, where its answers show that they differ from ours. */
export function spansByOtherClock(
  { clockOffsets: { least, most, others = [] } }: ProviderTime,
  { from, until }: { readonly from: number; readonly until: number },
): readonly { readonly from: number; readonly until: number }[] {
  return [least, most, ...others]
    .filter((offset) => Math.abs(offset) >= clockToleranceMs)
    .map((offset) => ({ from: from + offset - clockToleranceMs, until: until + offset }));
}

/** Whether the provider shows something as made before an instant of ours. False where either instant is not known. */
export function isMadeBefore(
  time: ProviderTime,
  since: Date | undefined,
  { createTime = '' }: { readonly createTime: string | undefined },
): boolean {
  return since !== undefined && Date.parse(createTime) < spanAtProvider(time, { since, until: since }).from;
}
