import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { WebhookRow } from '../database/tables.js';
import { describeAllEventTypes, describeEventType, EVERY_EVENT_TYPE } from '../events/event-types.js';
import { checked, checkedId } from '../http/validation.js';
import { ownRow } from '../server/own-row.js';
import { read } from '../server/reading.js';
import { callingApplication } from '../server/request-state.js';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './manage-webhooks.js';
import { describeWebhook } from './webhook-representation.js';
import { webhookListQuery, webhookPatch, webhookRequest } from './webhook-request.js';

interface ById {
  Params: { id: string };
}

const PATH = '/v1/notifications/webhooks';

export function addWebhookRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { database, links } = context;
  const describe = (request: FastifyRequest, webhook: WebhookRow) =>
    describeWebhook(webhook, callingApplication(request).settings.webhookLinkRels, links);

  api.post(PATH, { config: { operation: 'webhook.create' } }, async (request, reply) => {
    const body = checked(webhookRequest, request.body);
    const webhook = await createWebhook(database, callingApplication(request), body);
    return reply.code(201).send(describe(request, webhook));
  });

  api.get(PATH, { config: { operation: 'webhook.list' } }, async (request) => {
    const query = checked(webhookListQuery, request.query);
    const application = callingApplication(request);
    const webhooks = await read(context, request, (past) => listWebhooks(past, application, query));
    return { webhooks: webhooks.map((webhook) => describe(request, webhook)) };
  });

  api.get<ById>(`${PATH}/:id`, { config: { operation: 'webhook.get' } }, async (request) => {
    const id = checkedId(request.params.id);
    return describe(
      request,
      await read(context, request, (past, clientId) => ownRow(past, 'webhooks', clientId, id)),
    );
  });

  api.patch<ById>(`${PATH}/:id`, { config: { operation: 'webhook.update' } }, async (request) => {
    const id = checkedId(request.params.id);
    const patch = checked(webhookPatch, request.body);
    return describe(request, await updateWebhook(database, callingApplication(request), id, patch));
  });

  api.delete<ById>(`${PATH}/:id`, { config: { operation: 'webhook.delete' } }, async (request, reply) => {
    await deleteWebhook(database, callingApplication(request).clientId, checkedId(request.params.id));
    return reply.code(204).send();
  });

  api.get<ById>(
    `${PATH}/:id/event-types`,
    { config: { operation: 'webhook.event-types' } },
    async (request) => {
      const id = checkedId(request.params.id);
      const { event_types } = await read(context, request, (past, clientId) =>
        ownRow(past, 'webhooks', clientId, id),
      );
      const isEvery = event_types.includes(EVERY_EVENT_TYPE);
      return { event_types: isEvery ? describeAllEventTypes() : event_types.map(describeEventType) };
    },
  );
}
