import type { FastifyReply } from 'fastify';
import type { ConsoleSessions } from '../sign-in/console-sessions.js';
import type { IdentityProvider } from '../sign-in/identity-provider.js';
import { type SignInRefusal, signInPage } from './sign-in-page.js';

/** Answers with the sign-in page, as a browser without a session may see it. */
export function showSignIn(
  reply: FastifyReply,
  { sessions, identityProvider }: { sessions: ConsoleSessions; identityProvider: IdentityProvider },
  entered: { readonly next: string; readonly name?: string; readonly refusal?: SignInRefusal },
): string {
  void reply.type('text/html; charset=utf-8');
  return signInPage({
    ...entered,
    csrfToken: reply.generateCsrf(),
    hasUsers: sessions.hasUsers,
    identityProvider: identityProvider.name,
  });
}
