import { findShownEndpoint, type ShownEndpoint } from '#database/console';
import type { Database } from '#database/connection';
import { findNotification, type NotificationWithDeliveries } from '#database/notifications';
import type { Owner } from '#database/schema';
import { endpointIdPattern } from '../../notifications/notification-endpoints.js';
import { Problem } from '../../problems/problem.js';

/** @throws {Problem} 404. */
export async function endpointNamed(
  db: Database,
  owners: readonly Owner[],
  id: string,
): Promise<ShownEndpoint> {
  const row = endpointIdPattern.test(id) ? await findShownEndpoint(db, owners, id) : undefined;
  if (!row) throw new Problem('not-found', { detail: 'There is no such endpoint.' });
  return row;
}

/** An endpoint with which something can be done. @throws {Problem} 404. */
export async function actedEndpointNamed(
  db: Database,
  owners: readonly Owner[],
  id: string,
): Promise<ShownEndpoint> {
  const endpoint = await endpointNamed(db, owners, id);
  if (endpoint.status === 'deleted') throw new Problem('not-found', { detail: 'The endpoint was deleted.' });
  return endpoint;
}

/** As an address names it. */
export interface NotificationName extends Owner {
  readonly id: string;
}

/** @throws {Problem} 404. */
export async function notificationNamed(
  db: Database,
  { id, ...owner }: NotificationName,
): Promise<NotificationWithDeliveries> {
  const row = /^evt_[0-9a-f]{32}$/.test(id) ? await findNotification(db, owner, id) : undefined;
  if (!row) throw new Problem('not-found', { detail: 'There is no such notification.' });
  return row;
}
