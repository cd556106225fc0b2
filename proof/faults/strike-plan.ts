import type { Random } from './random.js';
import type { VictimSort } from './victim-sorts.js';

interface Target {
  readonly sort: VictimSort;
  readonly which: 'one' | 'all';
}

/** One blow: some processes die at the same moment and are started again after a while. */
export interface StrikePlan {
  /** It falls when so many lifecycles have been started. */
  readonly afterStarted: number;
  readonly targets: readonly Target[];
  /** Falls while a held POST that moves money is in flight, carried out so many milliseconds after it came. */
  readonly executesHeldAfterMs?: number;
  /** How long the victims stay dead, in milliseconds. */
  readonly deadForMs: number;
}

/** More often than the one kill for 20 lifecycles that a campaign must have at least. */
const lifecyclesPerStrike = 12;
const fewestStrikes = 4;
/** Some are carried out before the blow, some after it. */
const mostExecuteAfterMs = 2_000;

type Targets = readonly Target[];

const oneWorker: Targets = [{ sort: 'worker', which: 'one' }];
const oneApi: Targets = [{ sort: 'api', which: 'one' }];
const allWorkers: Targets = [{ sort: 'worker', which: 'all' }];
const allApis: Targets = [{ sort: 'api', which: 'all' }];
const sandbox: Targets = [{ sort: 'sandbox', which: 'all' }];
const temporal: Targets = [{ sort: 'temporal', which: 'all' }];
const enginePostgres: Targets = [{ sort: 'engine-postgres', which: 'all' }];
const sandboxPostgres: Targets = [{ sort: 'sandbox-postgres', which: 'all' }];
const temporalPostgres: Targets = [{ sort: 'temporal-postgres', which: 'all' }];
/** With them go the connections of their callers: nobody is left who knows of the request. */
const callersWorkersTemporal: Targets = [...allApis, ...allWorkers, ...temporal];
const everything: Targets = [
  ...callersWorkersTemporal,
  ...sandbox,
  ...enginePostgres,
  ...sandboxPostgres,
  ...temporalPostgres,
];

/** Each sort once before anything is drawn, so that short campaigns have several and long ones all. */
const opening: readonly Targets[] = [
  oneWorker,
  oneApi,
  enginePostgres,
  sandbox,
  temporal,
  temporalPostgres,
  sandboxPostgres,
  callersWorkersTemporal,
];

const whileMoneyMoves: readonly (readonly [Targets, weight: number])[] = [
  [oneWorker, 22],
  [allWorkers, 12],
  [oneApi, 9],
  [allApis, 5],
  [[...allWorkers, ...allApis], 9],
  [sandbox, 10],
  [sandboxPostgres, 6],
  [[...sandbox, ...sandboxPostgres], 3],
  [enginePostgres, 9],
  [[...enginePostgres, ...allWorkers], 2],
  [temporal, 6],
  [temporalPostgres, 4],
  [callersWorkersTemporal, 4],
  [everything, 2],
];

const atSomeMoment: readonly (readonly [Targets, weight: number])[] = [
  [oneWorker, 3],
  [oneApi, 3],
  [sandbox, 1],
  [enginePostgres, 1],
  [sandboxPostgres, 1],
];

/**
 * Spread over the campaign.
 *
 * @param present sorts of which the stage has victims; what falls away for want of them is drawn as a worker.
 */
export function drawStrikes(
  random: Random,
  lifecycles: number,
  present: ReadonlySet<VictimSort>,
): StrikePlan[] {
  const count = Math.max(fewestStrikes, Math.ceil(lifecycles / lifecyclesPerStrike));
  const first = opening.filter((targets) => targets.some(({ sort }) => present.has(sort)));
  return Array.from({ length: count }, (_, index) => {
    // Three of four, and the fourth takes one process only: half of all kills must have been in flight, also when some
    // come a moment too late.
    const waitsForMoney = index < first.length || index % 4 !== 3;
    const drawn = random.weighted(waitsForMoney ? whileMoneyMoves : atSomeMoment);
    const targets = (first[index] ?? drawn).filter(({ sort }) => present.has(sort));
    return {
      afterStarted: Math.floor(((index + 0.6) * lifecycles) / count),
      targets: targets.length > 0 ? targets : oneWorker,
      ...(waitsForMoney && { executesHeldAfterMs: random.integer(0, mostExecuteAfterMs) }),
      deadForMs: random.integer(0, 2_500),
    };
  });
}

/** With fewer a campaign proves too little: one for 20 lifecycles. */
export function fewestKills(lifecycles: number): number {
  return Math.ceil(lifecycles / 20);
}
