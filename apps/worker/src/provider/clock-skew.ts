/** The most by which the provider's clock may differ from ours. */
export const clockSkewMs = 120_000;
