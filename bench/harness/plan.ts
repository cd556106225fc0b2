/** How much of a part is measured. */
export interface Plans<P> {
  /** The part alone. */
  readonly full: P;
  /** The part alone, with `--quick`. */
  readonly quick: P;
  /** With all other parts. */
  readonly besideOthers: P;
  /** With all other parts and `--quick`: all of them within five minutes. */
  readonly brief: P;
}

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
  /** What differs in the round before the first one: it compiles code, opens connections and fills caches. */
  readonly warmUp: Partial<Plan>;
}

/** About fourteen minutes. */
const full: Plan = {
  rounds: 5,
  alone: 15,
  inFlight: 50,
  crowd: 150,
  crowdTimeoutMs: 40_000,
  openLoadMs: 15_000,
  orders: 30,
  clientRounds: 8,
  clientSequences: 1_000,
  warmUp: { alone: 5, orders: 5, crowd: 50, openLoadMs: 1_000 },
};

/** About four minutes: a look, not a figure to publish. */
const quick: Plan = {
  ...full,
  rounds: 2,
  alone: 5,
  crowd: 75,
  crowdTimeoutMs: 20_000,
  openLoadMs: 6_000,
  orders: 10,
  clientRounds: 4,
  clientSequences: 500,
};

/** Less than two minutes. */
const brief: Plan = {
  ...quick,
  rounds: 1,
  alone: 3,
  crowd: 25,
  openLoadMs: 4_000,
  orders: 5,
  warmUp: { alone: 2, orders: 2, inFlight: 10, crowd: 10, openLoadMs: 500 },
};

export const contestPlans: Plans<Plan> = { full, quick, besideOthers: full, brief };
