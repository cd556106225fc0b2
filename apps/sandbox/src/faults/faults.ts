import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { newResourceId } from '../http/identifiers.js';
import type { ClockOperation, Operation } from '../http/operations.js';
import {
  isDeliveryFault,
  isOutcomeFault,
  type CallFaultKind,
  type DeliveryFaultKind,
  type FaultKind,
  type OutcomeFault,
} from './fault-kinds.js';
import { canStrike } from './fault-reach.js';
import { storedFault, type FaultTarget } from './fault-settings.js';
import type { PastStates } from './past-states.js';

export interface Fault {
  id: string;
  target: FaultTarget;
  kind: FaultKind;
}

/**
 * The faults that are switched on. They and their counters are rows, so a killed service comes back with them; the list
 * is kept in memory too, so that calls cost no query while none is on.
 */
export class Faults {
  #active: Fault[] = [];

  constructor(
    private readonly database: Kysely<Tables>,
    /** What lagging reads show: kept for as long as a fault may ask for it. */
    private readonly past: PastStates,
  ) {}

  async load(): Promise<void> {
    const rows = await this.database
      .selectFrom('faults')
      .select(['id', 'settings'])
      .where((where) => where.or([where('remaining', 'is', null), where('remaining', '>', 0)]))
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    await this.#setActive(rows.map((row) => ({ id: row.id, ...storedFault.parse(row.settings) })));
  }

  async switchOn(target: FaultTarget, kind: FaultKind, now: Date): Promise<string> {
    const id = newResourceId();
    await this.database
      .insertInto('faults')
      .values({
        id,
        client_id: target.clientId ?? null,
        operation: target.operation,
        kind: kind.kind,
        settings: JSON.stringify({ target, kind }),
        remaining: target.times,
        created_at: now,
      })
      .execute();
    await this.#setActive([...this.#active, { id, target, kind }]);
    return id;
  }

  async switchOffAll(): Promise<void> {
    await this.database.deleteFrom('faults').execute();
    await this.#setActive([]);
  }

  /** False when no fault has this id. */
  async switchOff(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.database
      .deleteFrom('faults')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await this.#setActive(this.#active.filter((fault) => fault.id !== id));
    return numDeletedRows > 0n;
  }

  list() {
    return this.database
      .selectFrom('faults')
      .select(['id', 'settings', 'remaining', 'matches', 'created_at'])
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }

  /** The fault that strikes this call, its turn taken; the first one switched on wins. */
  async strikeCall(operation: Operation, clientId: string | null): Promise<CallFaultKind | null> {
    for (const { id, target, kind } of this.#active) {
      if (isDeliveryFault(kind) || !canStrike(kind, operation) || !isMeant(target, clientId)) continue;
      if (target.operation !== '*' && target.operation !== operation) continue;
      if (await this.#takeTurn(id, target)) return kind;
    }
    return null;
  }

  /** As `strikeCall`, for what the clock starts. Ask before the transaction opens: taking a turn needs a connection. */
  async strikeTask(operation: ClockOperation, clientId: string): Promise<OutcomeFault | null> {
    for (const { id, target, kind } of this.#active) {
      if (!isOutcomeFault(kind) || !isMeant(target, clientId) || target.operation !== operation) continue;
      if (await this.#takeTurn(id, target)) return kind;
    }
    return null;
  }

  /** As `strikeCall`, for one attempt of a delivery. One that was put off once is put off no more. */
  async strikeDelivery(
    eventType: string,
    clientId: string,
    wasPostponed: boolean,
  ): Promise<DeliveryFaultKind | null> {
    for (const { id, target, kind } of this.#active) {
      if (!isDeliveryFault(kind) || !isMeant(target, clientId)) continue;
      if (target.eventType !== undefined && target.eventType !== eventType) continue;
      if (wasPostponed && (kind.kind === 'delay_delivery' || kind.kind === 'reorder_deliveries')) continue;
      if (await this.#takeTurn(id, target)) return kind;
    }
    return null;
  }

  /** Counts the match; true when the fault strikes this time. The row's lock makes simultaneous calls take turns. */
  async #takeTurn(id: string, target: FaultTarget): Promise<boolean> {
    const turn = await this.database.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('faults')
        .set((column) => ({ matches: column('matches', '+', 1) }))
        .where('id', '=', id)
        .returning(['matches', 'remaining'])
        .executeTakeFirst();
      if (row === undefined || row.remaining === 0) return { strikes: false, isSpent: true };
      if (row.matches < target.nth || !isDrawn(target, row.matches))
        return { strikes: false, isSpent: false };
      if (row.remaining === null) return { strikes: true, isSpent: false };
      const remaining = row.remaining - 1;
      await transaction.updateTable('faults').set({ remaining }).where('id', '=', id).execute();
      return { strikes: true, isSpent: remaining === 0 };
    });
    if (turn.isSpent) await this.#setActive(this.#active.filter((fault) => fault.id !== id));
    return turn.strikes;
  }

  async #setActive(faults: Fault[]): Promise<void> {
    const before = lagsOf(this.#active);
    this.#active = faults;
    const lags = lagsOf(faults);
    if (lags.join() !== before.join()) await this.past.keepFor(lags);
  }
}

function lagsOf(faults: readonly Fault[]): number[] {
  return faults.flatMap(({ kind }) => (kind.kind === 'stale_read' ? [kind.lagMs] : []));
}

function isMeant(target: FaultTarget, clientId: string | null): boolean {
  return target.clientId === undefined || target.clientId === clientId;
}

/** A repeatable draw: the seed and the number of the match decide, not the moment. */
function isDrawn(target: FaultTarget, match: number): boolean {
  if (target.probability === 1) return true;
  const draw = createHash('sha256').update(`${target.seed}:${match}`).digest().readUInt32BE();
  return draw / 2 ** 32 < target.probability;
}
