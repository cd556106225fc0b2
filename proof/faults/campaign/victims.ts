import type { ManagedProcess } from '#tools/managed-process.js';
import type { Postgres } from '#tools/postgres.js';
import type { Stack } from '#tools/stack.js';
import type { Restarter } from './restarter.js';
import { type VictimKind, victimKinds } from './victim-kinds.js';

/** A part of the system that can be killed and comes back on its own data. */
export interface Victim {
  readonly kind: VictimKind;
  /** SIGKILL, and only it; resolves when the process is gone, and all that it had started. */
  kill(): Promise<void>;
  /** SIGSTOP, as a paused machine or a frozen container would; its connections stay. */
  pause(): void;
  resume(): void;
  /** Resolves when it is ready again. @throws Failure when it does not come back. */
  revive(): Promise<void>;
}

/** Victims by the name under which a strike asks for them; none where the stage has no such process of its own. */
export type Victims = Readonly<Record<VictimKind, readonly Victim[]>>;

export function victimsOf(stack: Stack, restarter: Restarter): Victims {
  const process =
    (kind: VictimKind) =>
    (managed: ManagedProcess): Victim => ({
      kind,
      kill: () => {
        restarter.expectsLossOf(kind);
        return managed.kill();
      },
      pause: () => managed.pause(),
      resume: () => managed.resume(),
      revive: () => restarter.revive(managed, kind),
    });
  const cluster = (kind: VictimKind, postgres: Postgres): Victim => ({
    ...process(kind)(postgres.process),
    kill: () => {
      restarter.expectsLossOf(kind);
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

export function kindsOf(victims: Victims): ReadonlySet<VictimKind> {
  return new Set(victimKinds.filter((kind) => victims[kind].length > 0));
}

/** Starts them again, what others stand on first. @throws Failure when one does not come back. */
export async function reviveAll(victims: readonly Victim[]): Promise<void> {
  const byKind = Map.groupBy(victims, ({ kind }) => kind);
  for (const kind of victimKinds)
    await Promise.all((byKind.get(kind) ?? []).map((victim) => victim.revive()));
}
