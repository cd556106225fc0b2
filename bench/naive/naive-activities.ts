import { ChangeAnnouncer, migrate, openDatabase } from '#database/connection';
import type { PaymentsClient } from '#payments-client';
import type { NaiveActivities } from './naive-contract.js';
import { providerCalls } from './provider-calls.js';
import { writeRows } from './write-rows.js';

/** @param requestId the same for each try of the step that calls */
export async function openNaiveActivities(
  databaseUrl: string,
  provider: PaymentsClient,
  requestId: () => string,
): Promise<NaiveActivities> {
  const db = openDatabase(databaseUrl, { poolSize: 20 });
  await migrate(db);
  const changes = new ChangeAnnouncer(databaseUrl);
  return {
    ...providerCalls(provider, requestId),
    writeRows: (order, change) => writeRows(db, changes, order, change),
  };
}
