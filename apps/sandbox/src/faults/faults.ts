import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import { newResourceId } from '../http/identifiers.js';
import { isClockOperation, type ClockOperation, type LateDecider } from '../http/operations.js';
import { isCallAbout, isEventAbout, refuseUnknownPayment, type CallToMatch } from './aimed-at-payment.js';
import {
  isDeliveryFault,
  isOutcomeFault,
  type CallFaultKind,
  type DeliveryFaultKind,
  type FaultKind,
  type OutcomeFault,
} from './fault-kinds.js';
import { canStrike, isDecidedInside } from './fault-reach.js';
import { storedFault, type FaultTarget } from './fault-settings.js';
import type { PastStates } from './past-states.js';
import { takeTurn } from './take-turn.js';

export interface Fault {
  id: string;
  target: FaultTarget;
  kind: FaultKind;
}

/**
 * The faults that are switched on. They and their counters are rows, so they survive a kill of the service; the list is
 * in memory, too, so that calls cost no query while none is on. Memory follows the rows: every change is followed by a
 * read of them, one change after the other.
 */
export class Faults {
  #active: Fault[] = [];
  #changes: Promise<unknown> = Promise.resolve();
  #refreshing: Promise<void> | undefined;

  constructor(
    private readonly database: Kysely<Tables>,
    /** The states that lagging reads show: kept for as long as a fault may ask for them. */
    private readonly past: PastStates,
  ) {}

  /** Also switches off faults that an older version accepted and this one would refuse. */
  async load(): Promise<void> {
    const refused = (await this.list()).filter(({ settings }) => !storedFault.safeParse(settings).success);
    await this.#change(async () => {
      for (const { id } of refused) await this.database.deleteFrom('faults').where('id', '=', id).execute();
    });
  }

  /**
   * @param id of the fault; one that is there already stays as it is, so that the same form acts once.
   * @throws ApiError VALIDATION_ERROR for a payment that does not exist.
   */
  async switchOn(
    target: FaultTarget,
    kind: FaultKind,
    now: Date,
    id: string = newResourceId(),
  ): Promise<{ id: string; wasOn: boolean }> {
    await refuseUnknownPayment(this.database, target);
    const row = {
      id,
      client_id: target.clientId ?? null,
      operation: target.operation,
      kind: kind.kind,
      settings: JSON.stringify({ target, kind }),
      remaining: target.times,
      created_at: now,
    };
    const { numInsertedOrUpdatedRows } = await this.#change(() =>
      this.database
        .insertInto('faults')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow(),
    );
    return { id, wasOn: numInsertedOrUpdatedRows === 0n };
  }

  async switchOffAll(): Promise<void> {
    await this.#change(() =>
      this.database
        // In the lock order of a unit of work, so that neither waits for the other.
        .with('locked', (query) =>
          query.selectFrom('faults').select('id').orderBy('created_at').orderBy('id').forUpdate(),
        )
        .deleteFrom('faults')
        .where('id', 'in', (query) => query.selectFrom('locked').select('id'))
        .execute(),
    );
  }

  /** False when no fault has this id. */
  async switchOff(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#change(() =>
      this.database.deleteFrom('faults').where('id', '=', id).executeTakeFirstOrThrow(),
    );
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

  /** The fault that affects this call, and counts its use; the first one switched on has priority. */
  async useForCall(call: CallToMatch): Promise<CallFaultKind | null> {
    const { operation, clientId } = call;
    for (const { id, target, kind } of this.#active) {
      if (isDeliveryFault(kind) || !canStrike(kind, operation) || isDecidedInside(kind, operation)) continue;
      if (!isMeant(target, clientId)) continue;
      if (target.operation !== '*' && target.operation !== operation) continue;
      const { paymentId } = target;
      if (paymentId !== undefined && !(await isCallAbout(this.database, paymentId, call))) continue;
      if (await this.#takeTurnNow(id, target)) return kind;
    }
    return null;
  }

  /**
   * As `useForCall`, for an operation that knows only inside its transaction whether a fault would make a difference.
   * The use is counted in that transaction: a rollback undoes it.
   */
  async useInside(
    transaction: Transaction<Tables>,
    operation: ClockOperation | LateDecider,
    clientId: string,
  ): Promise<OutcomeFault | null> {
    for (const { id, target, kind } of this.#active) {
      if (!isOutcomeFault(kind) || !isDecidedInside(kind, operation) || !isMeant(target, clientId)) continue;
      // None of these operations names a payment that exists already.
      if (target.paymentId !== undefined) continue;
      if (target.operation !== operation && (target.operation !== '*' || isClockOperation(operation)))
        continue;
      const { takesEffect, isSpent } = await takeTurn(transaction, id, target);
      if (takesEffect) return kind;
      // Not awaited: a change before it may be waiting for a row that this transaction holds.
      if (isSpent) void this.#refresh().catch(() => undefined);
    }
    return null;
  }

  /** As `useForCall`, for one attempt of a delivery. A delivery is postponed only once. */
  async useForDelivery(
    event: { id: string; event_type: string; client_id: string },
    wasPostponed: boolean,
  ): Promise<DeliveryFaultKind | null> {
    for (const { id, target, kind } of this.#active) {
      const { eventType, paymentId } = target;
      if (!isDeliveryFault(kind) || !isMeant(target, event.client_id)) continue;
      if (eventType !== undefined && eventType !== event.event_type) continue;
      if (wasPostponed && (kind.kind === 'delay_delivery' || kind.kind === 'reorder_deliveries')) continue;
      if (paymentId !== undefined && !(await isEventAbout(this.database, paymentId, event))) continue;
      if (await this.#takeTurnNow(id, target)) return kind;
    }
    return null;
  }

  async #takeTurnNow(id: string, target: FaultTarget): Promise<boolean> {
    const { takesEffect, isSpent } = await this.database
      .transaction()
      .execute((transaction) => takeTurn(transaction, id, target));
    if (isSpent) await this.#refresh();
    return takesEffect;
  }

  /** One read that has not begun yet serves everyone who waits for one. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#change(async () => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** After the earlier ones, whether or not they failed. */
  #change<Changed>(change: () => Promise<Changed>): Promise<Changed> {
    const changed = this.#changes
      .catch(() => undefined)
      .then(async () => {
        const result = await change();
        await this.#readActive();
        return result;
      });
    this.#changes = changed;
    return changed;
  }

  async #readActive(): Promise<void> {
    const rows = await this.database
      .selectFrom('faults')
      .select(['id', 'settings'])
      .where((where) => where.or([where('remaining', 'is', null), where('remaining', '>', 0)]))
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const before = lagsOf(this.#active);
    this.#active = rows.map(({ id, settings }) => ({ id, ...storedFault.parse(settings) }));
    const lags = lagsOf(this.#active);
    if (lags.join() !== before.join()) await this.past.keepFor(lags);
  }
}

function lagsOf(faults: readonly Fault[]): number[] {
  return faults.flatMap(({ kind }) => (kind.kind === 'stale_read' ? [kind.lagMs] : []));
}

function isMeant(target: FaultTarget, clientId: string | null): boolean {
  return target.clientId === undefined || target.clientId === clientId;
}
