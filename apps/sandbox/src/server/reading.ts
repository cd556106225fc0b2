import type { FastifyRequest } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { Tables } from '../database/tables.js';
import { callingApplication } from './request-state.js';

/**
 * Runs the read of a GET, for the application that asks. Every read of the interface uses this function, so that a
 * fault can show it the past.
 */
export function read<Found>(
  context: SandboxContext,
  request: FastifyRequest,
  query: (database: Kysely<Tables>, clientId: string) => Promise<Found>,
): Promise<Found> {
  const { clientId } = callingApplication(request);
  const { fault } = request;
  if (fault?.kind !== 'stale_read') return query(context.database, clientId);
  return context.past.readAsOf(context.database, fault.lagMs, (past) => query(past, clientId));
}

/** Runs several queries on one state of the database; inside a transaction they see what the transaction sees. */
export function atOneInstant<Found>(
  database: Kysely<Tables>,
  queries: (database: Kysely<Tables>) => Promise<Found>,
): Promise<Found> {
  if (isTransaction(database)) return queries(database);
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(queries);
}

function isTransaction(database: Kysely<Tables>): database is Transaction<Tables> {
  return database.isTransaction;
}
