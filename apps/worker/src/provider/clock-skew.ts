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

/** Whether the provider shows something as made before an instant of ours. False where either instant is not known. */
export function isMadeBefore(
  time: ProviderTime,
  since: Date | undefined,
  { createTime = '' }: { readonly createTime: string | undefined },
): boolean {
  return since !== undefined && Date.parse(createTime) < spanAtProvider(time, { since, until: since }).from;
}
