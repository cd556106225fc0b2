import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { withoutAddressSecrets } from '../calls/address-secrets.js';
import { text } from '../calls/call-filters.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { Tables, WebhookRow } from '../database/tables.js';
import { EVERY_EVENT_TYPE } from '../events/event-types.js';
import { ApiError } from '../http/api-error.js';
import { checkedId, orAbsent } from '../http/validation.js';
import { html, type Html } from '../pages/html.js';
import { listDeliveries } from '../webhooks/delivery-list.js';
import { applicationChoices } from './choices.js';
import { deliveryTable } from './delivery-table.js';
import { definitions, instant, table, type Column } from './elements.js';
import { applicationField } from './filter-form.js';
import { filteredPage } from './filtered-page.js';
import { addPage } from './pages.js';
import { accountLink, applicationLink } from './subject-links.js';

const PATH = '/dashboard/webhooks';
/** An account has ten at most. */
const MOST_WEBHOOKS = 500;
const MOST_DELIVERIES = 50;
const filters = z.object({ clientId: orAbsent(text) });

/** Registered webhooks, and the state of their latest deliveries. */
export function addWebhookPages(pages: FastifyInstance, context: SandboxContext): void {
  addPage(pages, context, '/webhooks', async ({ query }) =>
    filteredPage({
      title: 'Registered webhooks',
      section: PATH,
      query,
      schema: filters,
      fields: [applicationField(await applicationChoices(context.database))],
      list: async ({ clientId }) =>
        table(
          'Webhooks by application; times are UTC',
          WEBHOOK_COLUMNS,
          await webhooksOf(context.database, clientId),
        ),
    }),
  );

  addPage<{ id: string }>(pages, context, '/webhooks/:id', async ({ params }) => {
    const id = checkedId(params.id);
    const webhook = await context.database
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    const deliveries = await listDeliveries(context.database, { webhook: id, limit: MOST_DELIVERIES });
    if (webhook === undefined && deliveries.length === 0) throw new ApiError('INVALID_RESOURCE_ID');
    return {
      title: `Webhook ${id}`,
      section: PATH,
      content: html`${webhook === undefined ? html`<p>It has been deleted since.</p>` : facts(webhook)}
        <h2>Latest deliveries</h2>
        ${deliveryTable(deliveries, true)}`,
    };
  });
}

export function webhooksOf(database: Kysely<Tables>, clientId: string | undefined): Promise<WebhookRow[]> {
  let found = database.selectFrom('webhooks').selectAll();
  if (clientId !== undefined) found = found.where('client_id', '=', clientId);
  return found.orderBy('client_id').orderBy('created_at').limit(MOST_WEBHOOKS).execute();
}

export const WEBHOOK_COLUMNS: readonly Column<WebhookRow>[] = [
  { name: 'Webhook', kind: 'id', cell: ({ id }) => html`<a class="code" href="${PATH}/${id}">${id}</a>` },
  {
    name: 'Application',
    kind: 'id',
    cell: ({ client_id }) => applicationLink(client_id),
  },
  { name: 'Account', kind: 'id', cell: ({ account_id }) => accountLink(account_id) },
  { name: 'Address', kind: 'wide', cell: ({ url }) => html`<code>${withoutAddressSecrets(url)}</code>` },
  { name: 'Event types', kind: 'wide', cell: typesOf },
  { name: 'Registered', kind: 'instant', cell: ({ created_at }) => instant(created_at) },
];

function facts(webhook: WebhookRow): Html {
  return definitions([
    ['Application', applicationLink(webhook.client_id)],
    ['Account', accountLink(webhook.account_id)],
    ['Address', html`<code>${withoutAddressSecrets(webhook.url)}</code>`],
    ['Event types', typesOf(webhook)],
    ['Registered (UTC)', instant(webhook.created_at)],
  ]);
}

function typesOf({ event_types: types }: WebhookRow): string {
  return types.includes(EVERY_EVENT_TYPE) ? 'every event type' : types.join(', ');
}
