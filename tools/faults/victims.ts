import type { ManagedProcess } from '../managed-process.js';
import type { Stack } from '../stack.js';

/** A part of the system that can be killed and comes back on its own data. */
export interface Victim {
  /** What it is counted under. */
  readonly kind: string;
  /** SIGKILL, and only it; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Resolves when it is ready again. @throws Failure when it does not come back. */
  revive(): Promise<void>;
}

/** Sorts of victims by the name under which a strike asks for them; a new sort is a new entry. */
export type Victims = Readonly<Record<VictimKind, readonly Victim[]>>;

export type VictimKind = 'worker' | 'api';

export function victimsOf({ workers, apis }: Stack): Victims {
  return { worker: workers.map(processVictim('worker')), api: apis.map(processVictim('api')) };
}

function processVictim(kind: VictimKind): (process: ManagedProcess) => Victim {
  return (process) => ({ kind, kill: () => process.kill(), revive: () => process.start() });
}
