import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { sha256Hex } from '../http/identifiers.js';
import { isSameSecret } from '../oauth/client-credentials.js';
import { html } from '../pages/html.js';
import { describedBy, issueAt, textsOf } from './filter-form.js';
import { GuessLimit } from './guess-limit.js';
import { dashboardPage } from './layout.js';
import { DashboardSessions } from './session.js';
import { DASHBOARD_HEADERS } from './style.js';

/** When an admin token is configured, every page except the sign-in asks for it once. */
export function addSignIn(app: FastifyInstance, context: SandboxContext): void {
  const { adminToken } = context;
  const sessions = sessionsOf(context);
  if (adminToken === undefined || sessions === undefined) return;
  const expected = sha256Hex(adminToken);
  const guesses = new GuessLimit();

  app.get('/sign-in', (_request, reply) => showSignIn(reply));

  app.post('/sign-in', async (request, reply) => {
    const now = new Date();
    const { token = '' } = textsOf(request.body);
    if (guesses.isReached(now)) {
      return showSignIn(reply.code(429).header('retry-after', '1'), 'Too many wrong tokens. Wait a moment.');
    }
    if (!isSameSecret(token, expected)) {
      guesses.countWrong(now);
      return showSignIn(reply.code(403), 'The token is wrong.');
    }
    return reply.header('set-cookie', await sessions.begin(now)).redirect('/dashboard', 303);
  });

  app.post('/sign-out', async (request, reply) =>
    reply
      .header('set-cookie', await sessions.end(request.headers.cookie))
      .redirect('/dashboard/sign-in', 303),
  );
}

export function requireSession(pages: FastifyInstance, context: SandboxContext): void {
  const sessions = sessionsOf(context);
  if (sessions === undefined) return;
  pages.addHook('onRequest', async (request, reply) => {
    if (!(await sessions.isOpen(request.headers.cookie, new Date())))
      return reply.redirect('/dashboard/sign-in', 303);
  });
}

function sessionsOf({ adminToken, database, links }: SandboxContext): DashboardSessions | undefined {
  if (adminToken === undefined) return undefined;
  return new DashboardSessions(database, adminToken, () => links.origin().startsWith('https:'));
}

function showSignIn(reply: FastifyReply, refusal?: string): FastifyReply {
  const content = html`<p>The dashboards need the token that <code>SANDBOX_ADMIN_TOKEN</code> holds.</p>
    <form class="filters" method="post" action="/dashboard/sign-in">
      <div class="field">
        <label for="token">Admin token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          ${describedBy('token', undefined, refusal)}
        />
        ${issueAt('token', refusal)}
      </div>
      <button class="primary" type="submit">Sign in</button>
    </form>`;
  const notice =
    refusal === undefined ? undefined : ({ tone: 'bad', text: 'You are not signed in.' } as const);
  const page = dashboardPage({ title: 'Sign in', notice, content, canSignOut: false });
  return reply.headers(DASHBOARD_HEADERS).send(page);
}
