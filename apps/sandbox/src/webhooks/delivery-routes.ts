import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { checked } from '../http/validation.js';
import { deliveryQuery, listDeliveries } from './delivery-list.js';

/** Part of the admin API: the attempts and the state of each delivery. */
export function addDeliveryRoutes(admin: FastifyInstance, { database }: SandboxContext): void {
  admin.get('/admin/deliveries', async (request) => ({
    deliveries: await listDeliveries(database, checked(deliveryQuery, request.query)),
  }));
}
