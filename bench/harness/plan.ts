/** How much one run of the bench measures. */
export interface Plan {
  readonly rounds: number;
  /** Lifecycles per contender and round, one after the other. */
  readonly alone: number;
  /** Lifecycles on their way at a time, when throughput is measured. */
  readonly inFlight: number;
  /** Lifecycles per contender and round whose throughput is measured. */
  readonly crowd: number;
  /** Milliseconds after which that is cut short. */
  readonly crowdTimeoutMs: number;
  /** Milliseconds for which orders come under an open load, for each load and round. */
  readonly openLoadMs: number;
  /** Orders per round. */
  readonly orders: number;
  readonly clientRounds: number;
  /** Per caller and round; each is four calls. */
  readonly clientSequences: number;
}

/** About fourteen minutes. */
export const fullPlan: Plan = {
  rounds: 5,
  alone: 15,
  inFlight: 50,
  crowd: 150,
  crowdTimeoutMs: 40_000,
  openLoadMs: 15_000,
  orders: 30,
  clientRounds: 8,
  clientSequences: 1_000,
};

/** About three minutes: a look, not a figure to publish. */
export const quickPlan: Plan = {
  rounds: 2,
  alone: 5,
  inFlight: 50,
  crowd: 75,
  crowdTimeoutMs: 20_000,
  openLoadMs: 6_000,
  orders: 10,
  clientRounds: 4,
  clientSequences: 500,
};

/** Compiles code, opens connections and fills caches. */
export function warmUpOf(plan: Plan): Plan {
  return { ...plan, alone: 5, orders: 5, crowd: 50, openLoadMs: 1_000 };
}
