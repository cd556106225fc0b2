import type { FastifyInstance } from 'fastify';
import type { WebhookRow } from '../database/tables.js';
import { describeAllEventTypes, describeEventType, EVERY_EVENT_TYPE } from '../events/event-types.js';
import type { Links } from '../http/links.js';
import { callingApplication } from '../http/request-state.js';
import { checked, checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { createWebhook, deleteWebhook, findWebhook, updateWebhook } from './manage-webhooks.js';
import { webhookPatch, webhookRequest } from './webhook-request.js';

interface ById {
  Params: { id: string };
}

const PATH = '/v1/notifications/webhooks';

export function addWebhookRoutes(api: FastifyInstance, { database, links }: SandboxContext): void {
  api.post(PATH, { config: { operation: 'webhook.create' } }, async (request, reply) => {
    const body = checked(webhookRequest, request.body);
    const webhook = await createWebhook(database, callingApplication(request), body);
    return reply.code(201).send(describeWebhook(webhook, links));
  });

  api.get(PATH, { config: { operation: 'webhook.list' } }, async (request) => {
    const { clientId } = callingApplication(request);
    const webhooks = await database
      .selectFrom('webhooks')
      .selectAll()
      .where('client_id', '=', clientId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return { webhooks: webhooks.map((webhook) => describeWebhook(webhook, links)) };
  });

  api.get<ById>(`${PATH}/:id`, { config: { operation: 'webhook.get' } }, async (request) => {
    const { clientId } = callingApplication(request);
    return describeWebhook(await findWebhook(database, clientId, checkedId(request.params.id)), links);
  });

  api.patch<ById>(`${PATH}/:id`, { config: { operation: 'webhook.update' } }, async (request) => {
    const id = checkedId(request.params.id);
    const patch = checked(webhookPatch, request.body);
    return describeWebhook(await updateWebhook(database, callingApplication(request), id, patch), links);
  });

  api.delete<ById>(`${PATH}/:id`, { config: { operation: 'webhook.delete' } }, async (request, reply) => {
    await deleteWebhook(database, callingApplication(request).clientId, checkedId(request.params.id));
    return reply.code(204).send();
  });

  api.get<ById>(
    `${PATH}/:id/event-types`,
    { config: { operation: 'webhook.event-types' } },
    async (request) => {
      const { clientId } = callingApplication(request);
      const { event_types } = await findWebhook(database, clientId, checkedId(request.params.id));
      const isEvery = event_types.includes(EVERY_EVENT_TYPE);
      return { event_types: isEvery ? describeAllEventTypes() : event_types.map(describeEventType) };
    },
  );
}

/** A webhook as answered (interface, section 2.7). */
function describeWebhook(webhook: WebhookRow, links: Links): object {
  return {
    id: webhook.id,
    url: webhook.url,
    event_types: webhook.event_types.map(describeEventType),
    links: links.webhook(webhook.id),
  };
}
