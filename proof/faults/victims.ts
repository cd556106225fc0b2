import type { ManagedProcess } from '#tools/managed-process.js';
import type { Postgres } from '#tools/postgres.js';
import type { Stack } from '#tools/stack.js';
import type { Keeper } from './keeper.js';
import { type VictimSort, victimSorts } from './victim-sorts.js';

/** A part of the system that can be killed and comes back on its own data. */
export interface Victim {
  readonly sort: VictimSort;
  /** SIGKILL, and only it; resolves when the process is gone, and all that it had started. */
  kill(): Promise<void>;
  /** Resolves when it is ready again. @throws Failure when it does not come back. */
  revive(): Promise<void>;
}

/** Victims by the name under which a strike asks for them; none where the stage has no such process of its own. */
export type Victims = Readonly<Record<VictimSort, readonly Victim[]>>;

export function victimsOf(stack: Stack, keeper: Keeper): Victims {
  const process =
    (sort: VictimSort) =>
    (managed: ManagedProcess): Victim => ({
      sort,
      kill: () => {
        keeper.expectsLossOf(sort);
        return managed.kill();
      },
      revive: () => keeper.revive(managed, sort),
    });
  const cluster = (sort: VictimSort, postgres: Postgres): Victim => ({
    ...process(sort)(postgres.process),
    kill: () => {
      keeper.expectsLossOf(sort);
      return postgres.crash();
    },
  });
  const { temporal, temporalPostgres } = stack;
  return {
    'engine-postgres': [cluster('engine-postgres', stack.enginePostgres)],
    'sandbox-postgres': [cluster('sandbox-postgres', stack.sandboxPostgres)],
    'temporal-postgres': temporalPostgres ? [cluster('temporal-postgres', temporalPostgres)] : [],
    temporal: temporal ? [process('temporal')(temporal.process)] : [],
    sandbox: [process('sandbox')(stack.sandbox)],
    api: stack.apis.map(process('api')),
    worker: stack.workers.map(process('worker')),
  };
}

export function sortsOf(victims: Victims): ReadonlySet<VictimSort> {
  return new Set(victimSorts.filter((sort) => victims[sort].length > 0));
}

/** Starts them again, what others stand on first. @throws Failure when one does not come back. */
export async function reviveAll(victims: readonly Victim[]): Promise<void> {
  const bySort = Map.groupBy(victims, ({ sort }) => sort);
  for (const sort of victimSorts)
    await Promise.all((bySort.get(sort) ?? []).map((victim) => victim.revive()));
}
