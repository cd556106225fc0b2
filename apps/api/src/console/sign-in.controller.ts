import {
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { Problem } from '../problems/problem.js';
import {
  ConsoleSessions,
  type OpenSession,
  cookieOptions,
  sessionCookie,
} from '../sign-in/console-sessions.js';
import { IdentityProvider } from '../sign-in/identity-provider.js';
import { browserCookie, browserCookieSeconds } from '../sign-in/known-browser.js';
import { assertOwnForm, formOf } from '../sign-in/own-forms.js';
import { ConsoleFilter } from './console.filter.js';
import { ConsoleGuard, Session } from './console.guard.js';
import { findAsset } from './html/assets.js';
import { ownAddress } from './own-address.js';
import { showSignIn } from './show-sign-in.js';

/** What is shown to those who are not signed in. */
@Controller('console')
@ApiExcludeController()
@WithoutApiKey()
@UseFilters(ConsoleFilter)
export class SignInController {
  constructor(
    @Inject(ConsoleSessions) private readonly sessions: ConsoleSessions,
    @Inject(IdentityProvider) private readonly identityProvider: IdentityProvider,
  ) {}

  @Get('sign-in')
  show(@Query('next') next: unknown, @Res({ passthrough: true }) reply: FastifyReply): string {
    return this.page(reply, { next: ownAddress(next) });
  }

  @Post('sign-in')
  @HttpCode(200)
  async signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    await assertOwnForm(request, reply);
    const { name = '', password = '', next } = formOf(request);
    const outcome = await this.sessions.signIn(name, password, request.cookies[browserCookie]);
    if ('token' in outcome) {
      // The form's secret was made for somebody who was not known yet.
      void reply.clearCookie('__Host-console-form', cookieOptions);
      const kept = { ...cookieOptions, maxAge: browserCookieSeconds };
      void reply.setCookie(browserCookie, outcome.browserProof, kept);
      void reply.setCookie(sessionCookie, outcome.token, cookieOptions).redirect(ownAddress(next), 303);
      return undefined;
    }
    const { refusal } = outcome;
    if (refusal === 'wrong') void reply.code(403);
    else void reply.code(429).header('retry-after', String(refusal.waitSeconds));
    return this.page(reply, { next: ownAddress(next), name, refusal });
  }

  @Post('sign-out')
  @UseGuards(ConsoleGuard)
  async signOut(
    @Session() session: OpenSession,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.signOut(session);
    void reply.clearCookie(sessionCookie, cookieOptions).redirect('/console/sign-in', 303);
  }

  @Get('assets/:name')
  asset(@Param('name') name: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    const asset = findAsset(name);
    if (!asset) throw new Problem('not-found');
    void reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable');
    return asset.content;
  }

  private page(reply: FastifyReply, entered: Parameters<typeof showSignIn>[2]): string {
    const { sessions, identityProvider } = this;
    return showSignIn(reply, { sessions, identityProvider }, entered);
  }
}
