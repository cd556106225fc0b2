/** How much one run of the bench measures. */
export interface Plan {
  readonly rounds: number;
  /** Lifecycles per contender and round, one after the other. */
  readonly alone: number;
  /** Lifecycles per contender and round, `inFlight` at a time. */
  readonly crowd: number;
  readonly inFlight: number;
  /** Orders per round. */
  readonly orders: number;
  readonly clientRounds: number;
  /** Per caller and round; each is four calls. */
  readonly clientSequences: number;
}

/** About five minutes. */
export const fullPlan: Plan = {
  rounds: 5,
  alone: 12,
  crowd: 200,
  inFlight: 50,
  orders: 30,
  clientRounds: 8,
  clientSequences: 1_000,
};

/** Under two minutes: a look, not a figure to publish. */
export const quickPlan: Plan = {
  rounds: 3,
  alone: 5,
  crowd: 100,
  inFlight: 50,
  orders: 10,
  clientRounds: 4,
  clientSequences: 500,
};
