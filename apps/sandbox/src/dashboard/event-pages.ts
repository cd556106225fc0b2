import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Redaction } from '../calls/redaction.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { EventRow } from '../database/tables.js';
import { describeEvent } from '../events/event-representation.js';
import { EVENT_TYPE_NAMES } from '../events/event-types.js';
import { ApiError } from '../http/api-error.js';
import { checked, checkedId } from '../http/validation.js';
import { html, type Html } from '../pages/html.js';
import { listDeliveries } from '../webhooks/delivery-list.js';
import { applicationChoices, options } from './choices.js';
import { deliveryTable } from './delivery-table.js';
import {
  address,
  badge,
  definitions,
  document,
  instant,
  link,
  pageLinks,
  table,
  type Column,
} from './elements.js';
import {
  applicationField,
  describedBy,
  ENVIRONMENT_FIELD,
  issueAt,
  PERIOD_FIELDS,
  type FilterField,
} from './filter-form.js';
import { filteredPage } from './filtered-page.js';
import { addPage, showPage, type PageContent } from './pages.js';
import { EventResender, lastDeliveryOf } from './resend-once.js';
import { DELIVERY_STATES, eventFilters, searchEvents, type FoundEvent } from './search-events.js';
import { applicationLink, transactionLink } from './subject-links.js';

const PATH = '/dashboard/events';
const ROWS_OF_A_PAGE = 50;
const MOST_DELIVERIES = 100;

const resendForm = z.object({
  /** Empty: every webhook that subscribes. */
  webhook: z.string().regex(/^[A-Za-z0-9-]{0,64}$/),
  lastDelivery: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
});

/** The webhooks dashboard of the interface's section 1: events, their payloads and deliveries, and resending. */
export function addEventPages(pages: FastifyInstance, context: SandboxContext): void {
  const resender = new EventResender(context);

  addPage(pages, context, '/events', async ({ query }) =>
    filteredPage({
      title: 'Webhook events',
      section: PATH,
      query,
      schema: eventFilters,
      fields: await filterFields(context),
      list: async (values, texts) => {
        const found = await searchEvents(context.database, values, ROWS_OF_A_PAGE);
        return html`${table('Events, newest first; times are UTC', EVENT_COLUMNS, found.events)}
        ${pageLinks(PATH, texts, found)}`;
      },
    }),
  );

  addPage<{ id: string }>(pages, context, '/events/:id', async ({ params }) =>
    eventPage(context, await eventOf(context, params.id)),
  );

  pages.post<{ Params: { id: string } }>('/events/:id/resend', async (request, reply) => {
    const { webhook, lastDelivery } = checked(resendForm, request.body);
    const event = await eventOf(context, request.params.id);
    try {
      const outcome = await resender.resend(event, webhook === '' ? undefined : webhook, lastDelivery);
      return await reply.redirect(`${PATH}/${event.id}?done=${outcome}`, 303);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const issue = error.details[0]?.issue ?? error.message;
      const notice = { tone: 'bad', text: 'The event was not resent.', points: [`To: ${issue}`] } as const;
      const page = await eventPage(context, event, { webhook, issue });
      return showPage(context, request, reply, { ...page, notice, status: error.status });
    }
  });
}

/** @param sent the form for resending as it came, and what is wrong with it. */
async function eventPage(
  context: SandboxContext,
  event: EventRow,
  sent?: { webhook: string; issue: string },
): Promise<PageContent> {
  // Read before the deliveries: a delivery that is not on the page must not count as seen.
  const lastDelivery = await lastDeliveryOf(context, event.id);
  const deliveries = await listDeliveries(context.database, { event: event.id, limit: MOST_DELIVERIES });
  const payload = new Redaction([]).json(describeEvent(event, context.links));
  return {
    title: event.event_type,
    section: PATH,
    content: html`${definitions([
        ['Event id', html`<span class="code">${event.id}</span>`],
        ['Date (UTC)', instant(event.created_at)],
        ['Application', applicationLink(event.client_id)],
        ['Resource', event.resource_type],
        ['Transaction id', transactionLink(event.resource_id)],
        ['Summary', event.summary],
        ['Made by hand', event.is_simulated ? badge('caution', 'simulated') : null],
      ])}
      <h2>Deliveries</h2>
      ${deliveryTable(deliveries)} ${await resendFormOf(context, event, lastDelivery, sent)}
      <h2>Payload</h2>
      ${document(JSON.stringify(payload))}`,
  };
}

export const EVENT_COLUMNS: readonly Column<FoundEvent>[] = [
  { name: 'Date', kind: 'instant', cell: (event) => instant(event.created_at) },
  {
    name: 'Type',
    kind: 'id',
    cell: (event) =>
      html`${link(`${PATH}/${event.id}`, event.event_type)}
      ${event.is_simulated ? badge('caution', 'simulated') : ''}`,
  },
  { name: 'Resource', kind: 'id', cell: (event) => event.resource_type },
  { name: 'Transaction', kind: 'id', cell: (event) => transactionLink(event.resource_id) },
  {
    name: 'Application',
    kind: 'id',
    cell: (event) => link(address(PATH, { clientId: event.client_id }), event.client_id),
  },
  { name: 'Deliveries', kind: 'wide', cell: (event) => event.deliveries ?? 'to nobody' },
];

async function eventOf({ database }: SandboxContext, id: string): Promise<EventRow> {
  const event = await database
    .selectFrom('events')
    .selectAll()
    .where('id', '=', checkedId(id))
    .executeTakeFirst();
  if (event === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return event;
}

async function resendFormOf(
  context: SandboxContext,
  event: EventRow,
  lastDelivery: number,
  sent: { webhook: string; issue: string } | undefined,
): Promise<Html> {
  const webhooks = await context.database
    .selectFrom('webhooks')
    .select('id')
    .where('client_id', '=', event.client_id)
    .orderBy('created_at')
    .execute();
  const choices = webhooks.map(({ id }) => [id, `Webhook ${id}`] as const);
  return html`<h2>Resend</h2>
    <form class="filters" method="post" action="${PATH}/${event.id}/resend">
      <input type="hidden" name="lastDelivery" value="${String(lastDelivery)}" />
      <div class="field">
        <label for="webhook">To</label>
        <select id="webhook" name="webhook" ${describedBy('webhook', undefined, sent?.issue)}>
          ${options([['', 'Every webhook that subscribes'], ...choices], sent?.webhook ?? '')}
        </select>
        ${issueAt('webhook', sent?.issue)}
      </div>
      <button class="primary" type="submit">Resend this event</button>
    </form>`;
}

async function filterFields({ database }: SandboxContext): Promise<FilterField[]> {
  return [
    { name: 'transactionId', label: 'Transaction id', isLong: true },
    {
      name: 'eventType',
      label: 'Event type',
      type: 'select',
      choices: EVENT_TYPE_NAMES.map((name) => [name, name] as const),
    },
    {
      name: 'deliveries',
      label: 'Deliveries',
      type: 'select',
      choices: DELIVERY_STATES.map((state) => [state, state] as const),
    },
    applicationField(await applicationChoices(database)),
    ENVIRONMENT_FIELD,
    ...PERIOD_FIELDS,
  ];
}
