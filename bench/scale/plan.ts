import { contestPlans, type Plan, type Plans } from '../harness/plan.js';

/** How many processes of each kind are at work. */
export interface Size {
  readonly workers: number;
  readonly apis: number;
}

export interface ScalePlan {
  readonly rounds: number;
  /** The whole machine is theirs. */
  readonly free: readonly Size[];
  /** Each worker, or each API, may run only for this share of the time, so that it is full before the machine is. */
  readonly held: { readonly worker: Held; readonly api: Held };
  readonly load: Plan;
  /** The load of processes that are held: less of it keeps them busy. */
  readonly heldLoad: Plan;
}

export interface Held {
  /** From 0 to 1. */
  readonly share: number;
  readonly sizes: readonly Size[];
}

export const mostProcesses: Size = { workers: 4, apis: 2 };

/** About a quarter of an hour. */
const full: ScalePlan = {
  rounds: 3,
  free: [1, 2].flatMap((apis) => [1, 2, 4].map((workers) => ({ workers, apis }))),
  held: {
    worker: { share: 0.03, sizes: [1, 2, 4].map((workers) => ({ workers, apis: 1 })) },
    api: { share: 0.02, sizes: [1, 2].map((apis) => ({ workers: 1, apis })) },
  },
  load: { ...contestPlans.full, crowd: 150 },
  heldLoad: { ...contestPlans.full, inFlight: 30, crowd: 45, crowdTimeoutMs: 60_000 },
};

const quick: ScalePlan = {
  ...full,
  rounds: 1,
  load: { ...full.load, inFlight: 20, crowd: 50 },
  heldLoad: { ...full.heldLoad, inFlight: 12, crowd: 15 },
};

export const scalePlans: Plans<ScalePlan> = { full, quick, besideOthers: quick, brief: quick };
