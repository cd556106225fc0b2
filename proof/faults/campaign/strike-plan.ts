import type { Random } from '../random.js';
import type { VictimKind } from './victim-kinds.js';

interface Target {
  readonly kind: VictimKind;
  readonly which: 'one' | 'all';
}

/** One blow: some processes die, or are paused, at the same moment, and go on after a while. */
export interface StrikePlan {
  readonly how: 'kill' | 'pause';
  /** It falls when so many lifecycles have been started. */
  readonly afterStarted: number;
  readonly targets: readonly Target[];
  /** Falls while a held POST that moves money is in flight, carried out so many milliseconds after it came. */
  readonly executesHeldAfterMs?: number;
  /** How long the victims stay dead or paused, in milliseconds. */
  readonly awayForMs: number;
}

/** More often than the one kill for 20 lifecycles that a campaign must have at least. */
const lifecyclesPerStrike = 12;
const fewestStrikes = 4;
const lifecyclesPerPause = 40;
const pausesPerLongPause = 5;
/** Some are carried out before the blow, some after it. */
const mostExecuteAfterMs = 2_000;

type Targets = readonly Target[];

const oneWorker: Targets = [{ kind: 'worker', which: 'one' }];
const oneApi: Targets = [{ kind: 'api', which: 'one' }];
const allWorkers: Targets = [{ kind: 'worker', which: 'all' }];
const allApis: Targets = [{ kind: 'api', which: 'all' }];
const sandbox: Targets = [{ kind: 'sandbox', which: 'all' }];
const temporal: Targets = [{ kind: 'temporal', which: 'all' }];
const enginePostgres: Targets = [{ kind: 'engine-postgres', which: 'all' }];
const sandboxPostgres: Targets = [{ kind: 'sandbox-postgres', which: 'all' }];
const temporalPostgres: Targets = [{ kind: 'temporal-postgres', which: 'all' }];
/** Their callers' connections end, too, so that no process is left that knows the request. */
const callersWorkersTemporal: Targets = [...allApis, ...allWorkers, ...temporal];
const everything: Targets = [
  ...callersWorkersTemporal,
  ...sandbox,
  ...enginePostgres,
  ...sandboxPostgres,
  ...temporalPostgres,
];

/** Each kind once before anything is drawn, so that short campaigns have several and long ones all. */
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

/** PostgreSQL's processes are not one group, and a paused one holds up its clients as a slow disk does. */
const paused: readonly (readonly [Targets, weight: number])[] = [
  [oneWorker, 5],
  [allWorkers, 3],
  [oneApi, 2],
  [allApis, 1],
  [[...allWorkers, ...allApis], 2],
  [sandbox, 1],
  [temporal, 1],
  [callersWorkersTemporal, 1],
];

/**
 * Spread over the campaign.
 *
 * @param present the kinds that the stage has; missing ones are replaced by a worker.
 */
export function drawStrikes(
  random: Random,
  lifecycles: number,
  present: ReadonlySet<VictimKind>,
): StrikePlan[] {
  const kills = drawKills(random, lifecycles, present);
  return [...kills, ...drawPauses(random, lifecycles, present)].toSorted(
    (one, other) => one.afterStarted - other.afterStarted,
  );
}

function drawKills(random: Random, lifecycles: number, present: ReadonlySet<VictimKind>): StrikePlan[] {
  const count = Math.max(fewestStrikes, Math.ceil(lifecycles / lifecyclesPerStrike));
  const first = opening.filter((targets) => targets.some(({ kind }) => present.has(kind)));
  return Array.from({ length: count }, (_, index) => {
    // Three of four, and the fourth takes one process only: half of all kills must have been in flight, also when some
    // come a moment too late.
    const waitsForMoney = index < first.length || index % 4 !== 3;
    const drawn = random.weighted(waitsForMoney ? whileMoneyMoves : atSomeMoment);
    return {
      how: 'kill',
      afterStarted: Math.floor(((index + 0.6) * lifecycles) / count),
      targets: amongPresent(first[index] ?? drawn, present),
      ...(waitsForMoney && { executesHeldAfterMs: random.integer(0, mostExecuteAfterMs) }),
      awayForMs: random.integer(0, 2_500),
    };
  });
}

/**
 * Longer than anything waits: a call's answer, a workflow task, the SDK for workflow code. Now and then one worker is away
 * for longer than the outcome horizon, so that another proves its calls undone and makes them: it may send none of them.
 */
function drawPauses(random: Random, lifecycles: number, present: ReadonlySet<VictimKind>): StrikePlan[] {
  const count = Math.ceil(lifecycles / lifecyclesPerPause);
  return Array.from({ length: count }, (_, index) => {
    const isLong = index % pausesPerLongPause === pausesPerLongPause - 1;
    return {
      how: 'pause',
      afterStarted: Math.floor(((index + 0.3) * lifecycles) / count),
      targets: isLong ? oneWorker : amongPresent(random.weighted(paused), present),
      executesHeldAfterMs: random.integer(0, mostExecuteAfterMs),
      awayForMs: isLong ? random.integer(40_000, 60_000) : random.integer(6_000, 24_000),
    };
  });
}

function amongPresent(targets: Targets, present: ReadonlySet<VictimKind>): Targets {
  const those = targets.filter(({ kind }) => present.has(kind));
  return those.length > 0 ? those : oneWorker;
}

/** With fewer a campaign proves too little: one for 20 lifecycles. */
export function fewestKills(lifecycles: number): number {
  return Math.ceil(lifecycles / 20);
}
