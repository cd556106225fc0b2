import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { text } from '../calls/call-filters.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { html } from '../pages/html.js';
import { readStoredSettings } from '../settings/application-settings.js';
import { address, definitions, instant, link, table, type Column } from './elements.js';
import { textsOf } from './filter-form.js';
import { addPage } from './pages.js';
import { accountLink } from './subject-links.js';
import { WEBHOOK_COLUMNS, webhooksOf } from './webhook-pages.js';

const query = z.object({ clientId: text });

/** One application: whose it is, how the service treats it, and where to read what it did. */
export function addApplicationPage(pages: FastifyInstance, context: SandboxContext): void {
  addPage(pages, context, '/application', async (request) => {
    const clientId = query.safeParse(textsOf(request.query)).data?.clientId ?? '';
    const application = await context.database
      .selectFrom('applications')
      .innerJoin('accounts', 'accounts.id', 'applications.account_id')
      .select(['name', 'app_id', 'account_id', 'environment', 'settings', 'applications.created_at'])
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (application === undefined) throw new ApiError('INVALID_RESOURCE_ID');
    const settings = Object.entries(readStoredSettings(application.settings));
    return {
      title: `Application ${clientId}`,
      section: '/dashboard',
      content: html`${definitions([
          ['Name', application.name],
          ['App id', application.app_id],
          ['Environment', application.environment],
          ['Account', accountLink(application.account_id)],
          ['Since (UTC)', instant(application.created_at)],
        ])}
        <ul class="links">
          ${HISTORIES.map(([path, name]) => html`<li>${link(address(path, { clientId }), name)}</li>`)}
        </ul>
        <h2>Webhooks</h2>
        ${table('Its webhooks; times are UTC', WEBHOOK_COLUMNS, await webhooksOf(context.database, clientId))}
        <h2>Settings</h2>
        <p class="muted">They are changed by PUT /admin/applications/{clientId}.</p>
        ${table('How the service treats it', SETTINGS, settings)}`,
    };
  });
}

const HISTORIES = [
  ['/dashboard/transactions', 'Transactions'],
  ['/dashboard/calls', 'Calls'],
  ['/dashboard/events', 'Events'],
] as const;

const SETTINGS: readonly Column<[string, unknown]>[] = [
  { name: 'Setting', kind: 'id', cell: ([name]) => html`<code>${name}</code>` },
  {
    name: 'Value',
    kind: 'wide',
    cell: ([, value]) =>
      value === null ? 'that of the service' : html`<code>${JSON.stringify(value)}</code>`,
  },
];
