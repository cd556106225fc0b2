import { Controller, Get, Inject, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { Problem } from '../problems/problem.js';
import { ConsoleSessions, cookieOptions, sessionCookie } from '../sign-in/console-sessions.js';
import { IdentityProvider, readBegunSignIn } from '../sign-in/identity-provider.js';
import { ConsoleFilter } from './console.filter.js';
import { ownAddress } from './own-address.js';
import { showSignIn } from './show-sign-in.js';
import { type SignInRefusal, signedInPage } from './sign-in-page.js';

const begunCookie = '__Host-console-oidc';
/** Lax: the identity provider's page leads the browser back. */
const begunOptions = { ...cookieOptions, sameSite: 'lax' } as const;
const begunSeconds = 600;

/** The sign-in by an OpenID Connect provider, for those who have no password here. */
@Controller('console/sign-in/oidc')
@ApiExcludeController()
@WithoutApiKey()
@UseFilters(ConsoleFilter)
export class OidcController {
  constructor(
    @Inject(IdentityProvider) private readonly identityProvider: IdentityProvider,
    @Inject(ConsoleSessions) private readonly sessions: ConsoleSessions,
  ) {}

  @Get()
  async begin(
    @Query('next') next: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    this.assertThereIsOne();
    const begun = await this.identityProvider.begin(ownAddress(next));
    if (!begun) return this.refuse(reply, 503, 'unreachable');
    void reply
      .setCookie(begunCookie, begun.begun, { ...begunOptions, maxAge: begunSeconds })
      .redirect(begun.address, 303);
    return undefined;
  }

  /** The page that it answers leads on: the session's cookie is not sent with a request that another site has caused. */
  @Get('callback')
  async finish(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    this.assertThereIsOne();
    const begun = readBegunSignIn(request.cookies[begunCookie]);
    void reply.clearCookie(begunCookie, begunOptions);
    if (!begun) return this.refuse(reply, 403, 'not-completed');
    const answer = await this.identityProvider.finish(request.url, begun);
    if ('refusal' in answer) return this.refuse(reply, answer.refusal === 'busy' ? 429 : 403, answer.refusal);
    const outcome = await this.sessions.signInFederated(answer);
    if ('refusal' in outcome) return this.refuse(reply, 403, outcome.refusal);
    // The form's secret was made for somebody who was not known yet.
    void reply
      .clearCookie('__Host-console-form', cookieOptions)
      .setCookie(sessionCookie, outcome.token, cookieOptions)
      .type('text/html; charset=utf-8');
    return signedInPage({ operator: answer.operator, next: ownAddress(begun.next) });
  }

  private assertThereIsOne(): void {
    if (this.identityProvider.name === undefined) throw new Problem('not-found');
  }

  private refuse(reply: FastifyReply, status: number, refusal: SignInRefusal): string {
    void reply.code(status);
    const { sessions, identityProvider } = this;
    return showSignIn(reply, { sessions, identityProvider }, { next: '/console', refusal });
  }
}
