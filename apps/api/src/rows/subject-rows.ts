import { Inject } from '@nestjs/common';
import type { Database } from '#database/connection';
import type { Owner } from '#database/schema';
import type { AmountRange } from '#database/subjects';
import { type StoredEntry, listTimeline } from '#database/transitions';
import type { SubjectKind } from '#workflows/contract';
import type { Money } from '#workflows/lifecycle';
import { ChangeWaits } from '../commands/wait-for-change.js';
import { databaseToken } from '../injected/database-token.js';
import { Problem } from '../problems/problem.js';
import type { NextChangeQuery } from '../wire/fields.js';
import { idPattern, leastId } from '../wire/ids.js';
import { type Found, type PageQuery, idCursor, nextCursor, pageOf } from '../wire/pages.js';

export interface SubjectView {
  readonly id: string;
  readonly shown_version: number;
}

/** What every list of subjects can be filtered by. */
export interface SubjectQuery<Status> {
  readonly state?: readonly Status[] | undefined;
  /** Milliseconds since 1970. */
  readonly createdFrom?: number | undefined;
  readonly createdTo?: number | undefined;
  readonly providerId?: string | undefined;
}

/** Of lists that are filtered by amount. */
export interface AmountQuery {
  readonly currency?: string | undefined;
  readonly minAmount?: Money | undefined;
  readonly maxAmount?: Money | undefined;
}

export function amountRange({ currency, minAmount, maxAmount }: AmountQuery): AmountRange | undefined {
  return currency === undefined ? undefined : { currency, least: minAmount?.minor, most: maxAmount?.minor };
}

/** The filter of the rows that a query asks for. */
export function subjectFilter<Status>(
  kind: SubjectKind,
  {
    environment,
    application,
    before,
    limit,
    state: statuses,
    providerId,
    createdFrom,
    createdTo,
  }: Listed<SubjectQuery<Status>>,
) {
  return {
    environment,
    application,
    before,
    limit,
    statuses,
    providerId,
    createdFrom: dateOf(createdFrom),
    createdTo: dateOf(createdTo),
    ...idBounds(kind, createdFrom, createdTo),
  };
}

/** By this much the clock that made an id may differ from the one that set the instant of creation. */
const clocksDifferMs = 3_600_000;

/** The list is read by id, so that it need not read everything that was created at another time. */
function idBounds(kind: SubjectKind, from: number | undefined, to: number | undefined) {
  // Refunds that were made elsewhere have ids that say nothing about their age.
  if (kind === 'refund') return {};
  return {
    ...(from !== undefined && { idFrom: leastId(kind, from - clocksDifferMs) }),
    ...(to !== undefined && { idTo: leastId(kind, to + clocksDifferMs) }),
  };
}

function dateOf(instant: number | undefined): Date | undefined {
  return instant === undefined ? undefined : new Date(instant);
}

/** The query of one list: owner, filter and page. */
export type Listed<Filter> = Owner &
  Filter & { readonly before?: string | undefined; readonly limit: number };

/** Reads subjects of one kind, restricted to one application. */
export abstract class SubjectRows<Row extends SubjectView, Filter> {
  protected abstract readonly kind: SubjectKind;

  constructor(
    @Inject(databaseToken) protected readonly db: Database,
    @Inject(ChangeWaits) private readonly changes: ChangeWaits,
  ) {}

  /**
   * @throws {Problem} 404, also for a subject of another application, so that the caller does not learn that it exists.
   */
  async get(owner: Owner, id: string): Promise<Row> {
    const row = await this.find(owner, id);
    if (!row) throw noSuch(this.kind);
    return row;
  }

  /**
   * The row of an order that was accepted.
   *
   * @throws {Problem} 409 if the row was lost in a restore of the database; only the order's key is known then.
   */
  async getOrdered(owner: Owner, id: string): Promise<Row> {
    const row = await this.find(owner, id);
    if (row) return row;
    throw new Problem('conflict', {
      code: 'outcome_not_recorded',
      detail: `The order was accepted as ${id}. Its record was lost when the database was restored; ask the operators.`,
    });
  }

  async find({ environment, application }: Owner, id: string): Promise<Row | undefined> {
    return idPattern(this.kind).test(id) ? await this.read({ environment, application }, id) : undefined;
  }

  /** The row now, or at its next change. @throws {Problem} 404. */
  async next(owner: Owner, id: string, query: NextChangeQuery, signal: AbortSignal): Promise<Row> {
    return await this.changes.next(query, {
      read: () => this.get(owner, id),
      versionOf: (row) => this.versionOf(row),
      isAtRest: (row) => this.isAtRest(row),
      signal,
    });
  }

  /** The timeline of a subject. @throws {Problem} 404. */
  async timeline(owner: Owner, id: string): Promise<StoredEntry[]> {
    const row = await this.get(owner, id);
    return await listTimeline(this.db, row.id);
  }

  /** One page, newest first, and the cursor of the next page. */
  async list(
    owner: Owner,
    query: Filter & PageQuery<string>,
  ): Promise<{ readonly rows: readonly Row[]; readonly nextCursor: string | null }> {
    const page = await pageOf(query, (before, limit) => this.readPage({ ...owner, ...query, before, limit }));
    return { rows: page.rows, nextCursor: nextCursor(page, idCursor(this.kind), ({ id }) => id) };
  }

  /** The version that callers see. */
  versionOf({ shown_version }: Row): number {
    return shown_version;
  }

  /** True if the row can no longer change. */
  protected abstract isAtRest(row: Row): boolean;

  protected abstract read(owner: Owner, id: string): Promise<Row | undefined>;

  protected abstract readPage(list: Listed<Filter>): Promise<Found<Row>>;
}

export function noSuch(kind: SubjectKind): Problem {
  return new Problem('not-found', { detail: `There is no such ${kind}.` });
}
