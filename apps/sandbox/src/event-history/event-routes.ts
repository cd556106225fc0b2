import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxContext } from '../context/sandbox-context.js';
import { describeEvent } from '../events/event-representation.js';
import { describeAllEventTypes } from '../events/event-types.js';
import { checked, checkedId } from '../http/validation.js';
import { withoutNulls } from '../http/without-nulls.js';
import { read } from '../server/reading.js';
import { callingApplication } from '../server/request-state.js';
import { eventListQuery, findEvent, listEvents } from './find-events.js';
import { resendEvent } from './resend-event.js';
import { simulateEvent, simulationRequest } from './simulate-event.js';

interface ById {
  Params: { id: string };
}

/** The specification spells the segment without one i (section 4), the public API does not. */
const EVENT_PATHS = ['/v1/notfications/webhooks-events', '/v1/notifications/webhooks-events'];

const resendRequest = z.preprocess(
  withoutNulls,
  z.strictObject({ webhook_ids: z.array(z.string().max(64)).min(1).max(10).optional() }),
);

export function addEventRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { links } = context;

  for (const path of EVENT_PATHS) {
    api.get(path, { config: { operation: 'event.list' } }, (request) => {
      const query = checked(eventListQuery, request.query);
      return read(context, request, (database, clientId) =>
        listEvents(database, links, clientId, query, request.url),
      );
    });

    api.get<ById>(`${path}/:id`, { config: { operation: 'event.get' } }, (request) => {
      const id = checkedId(request.params.id);
      return read(context, request, async (database, clientId) =>
        describeEvent(await findEvent(database, clientId, id), links),
      );
    });

    api.post<ById>(
      `${path}/:id/resend`,
      { config: { operation: 'event.resend' } },
      async (request, reply) => {
        const { clientId } = callingApplication(request);
        const { webhook_ids } = checked(resendRequest, request.body);
        const event = await resendEvent(context, clientId, checkedId(request.params.id), webhook_ids);
        return reply.code(202).send(describeEvent(event, links));
      },
    );
  }

  api.post(
    '/v1/notifications/simulate-event',
    { config: { operation: 'event.simulate' } },
    async (request, reply) => {
      const { clientId } = callingApplication(request);
      const event = await simulateEvent(context, clientId, checked(simulationRequest, request.body));
      return reply.code(202).send(describeEvent(event, links));
    },
  );

  api.get('/v1/notifications/webhooks-event-types', { config: { operation: 'event-type.list' } }, () => ({
    event_types: describeAllEventTypes(),
  }));
}
