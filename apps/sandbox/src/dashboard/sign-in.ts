import type { FastifyInstance, FastifyReply } from 'fastify';
import { sha256Hex } from '../http/identifiers.js';
import { isSameSecret } from '../oauth/client-credentials.js';
import { html } from '../pages/html.js';
import type { SandboxContext } from '../sandbox-context.js';
import { textsOf } from './filter-form.js';
import { dashboardPage } from './layout.js';
import { endedCookie, hasSession, sessionCookie } from './session.js';
import { DASHBOARD_HEADERS } from './style.js';

/** Where an admin token is set, every page but the sign-in asks for it once. */
export function addSignIn(app: FastifyInstance, { adminToken, links }: SandboxContext): void {
  if (adminToken === undefined) return;
  const expected = sha256Hex(adminToken);
  const isSecure = () => links.origin().startsWith('https:');

  app.get('/sign-in', (_request, reply) => showSignIn(reply, false));

  app.post('/sign-in', (request, reply) => {
    const { token = '' } = textsOf(request.body);
    if (!isSameSecret(token, expected)) return showSignIn(reply.code(403), true);
    return reply
      .header('set-cookie', sessionCookie(adminToken, new Date(), isSecure()))
      .redirect('/dashboard', 303);
  });

  app.post('/sign-out', (_request, reply) =>
    reply.header('set-cookie', endedCookie(isSecure())).redirect('/dashboard/sign-in', 303),
  );
}

export function requireSession(pages: FastifyInstance, { adminToken }: SandboxContext): void {
  if (adminToken === undefined) return;
  pages.addHook('onRequest', async (request, reply) => {
    if (!hasSession(request.headers.cookie, adminToken, new Date()))
      return reply.redirect('/dashboard/sign-in', 303);
  });
}

function showSignIn(reply: FastifyReply, isWrong: boolean): FastifyReply {
  const content = html`<p>The dashboards need the token that <code>SANDBOX_ADMIN_TOKEN</code> holds.</p>
    <form class="filters" method="post" action="/dashboard/sign-in">
      <div class="field">
        <label for="token">Admin token</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required />
      </div>
      <button class="primary" type="submit">Sign in</button>
    </form>`;
  const notice = isWrong ? ({ tone: 'bad', text: 'That is not the token.' } as const) : undefined;
  const page = dashboardPage({ title: 'Sign in', notice, content, canSignOut: false });
  return reply.headers(DASHBOARD_HEADERS).send(page);
}
