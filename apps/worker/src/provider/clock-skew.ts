/** By how much the clock of the provider may differ from ours. */
export const clockSkewMs = 120_000;
