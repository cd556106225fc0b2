import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseForeignPages } from '../admin/browser-guard.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { html } from '../pages/html.js';
import { handleErrors } from '../server/error-handler.js';
import { addApplicationPage } from './application-page.js';
import { addBooksPages } from './books-pages.js';
import { addCallPages } from './call-pages.js';
import { addEventPages } from './event-pages.js';
import { addFaultPages } from './fault-pages.js';
import { dashboardPage } from './layout.js';
import { addOverviewPage } from './overview-page.js';
import { addSignIn, requireSession } from './sign-in.js';
import { DASHBOARD_HEADERS } from './style.js';
import { addTransactionPages } from './transaction-pages.js';
import { addWebhookPages } from './webhook-pages.js';

const LARGEST_FORM_BYTES = 16_384;

/** The dashboards of the interface's section 1, and manual control of the service: plain pages and forms, no script. */
export async function addDashboardRoutes(app: FastifyInstance, context: SandboxContext): Promise<void> {
  await app.register(formbody, { bodyLimit: LARGEST_FORM_BYTES });
  refuseForeignPages(app, context);
  showErrorsAsPages(app, context);
  app.setNotFoundHandler(() => {
    throw new ApiError('INVALID_RESOURCE_ID');
  });
  addSignIn(app, context);
  await app.register(async (pages) => {
    requireSession(pages, context);
    addOverviewPage(pages, context);
    addCallPages(pages, context);
    addEventPages(pages, context);
    addWebhookPages(pages, context);
    addFaultPages(pages, context);
    addBooksPages(pages, context);
    addTransactionPages(pages, context);
    addApplicationPage(pages, context);
  });
}

const EXPLANATIONS: Readonly<Record<number, readonly [title: string, text: string]>> = {
  403: [
    'Not allowed from that site',
    'The request came from another site, or under a name that is not this service’s. Set PUBLIC_URL to the ' +
      'address under which you open it, or SANDBOX_ADMIN_TOKEN to sign in.',
  ],
  404: ['Not found', 'Nothing has this address, or it was deleted.'],
};

function showErrorsAsPages(app: FastifyInstance, context: SandboxContext): void {
  const logError = handleErrors(context.logger);
  app.setErrorHandler((error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => {
    const status =
      'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
    const code = error instanceof ApiError ? error.status : status;
    if (code === undefined || code >= 500) return logError(error, request, reply);
    const [title, text] = EXPLANATIONS[code] ?? [
      'Refused',
      error instanceof ApiError ? error.message : 'The form cannot be read.',
    ];
    const points =
      error instanceof ApiError ? error.details.map(({ field, issue }) => `${field}: ${issue}`) : [];
    const content = html`<p><a href="/dashboard">To the overview</a></p>`;
    const page = dashboardPage({ title, notice: { tone: 'bad', text, points }, content, canSignOut: false });
    return reply.code(code).headers(DASHBOARD_HEADERS).send(page);
  });
}
