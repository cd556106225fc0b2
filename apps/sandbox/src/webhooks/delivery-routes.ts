import type { FastifyInstance } from 'fastify';
import { checked } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { deliveryQuery, listDeliveries } from './delivery-list.js';

/** Part of the admin API: what became of each delivery, attempt by attempt. */
export function addDeliveryRoutes(admin: FastifyInstance, { database }: SandboxContext): void {
  admin.get('/admin/deliveries', async (request) => ({
    deliveries: await listDeliveries(database, checked(deliveryQuery, request.query)),
  }));
}
