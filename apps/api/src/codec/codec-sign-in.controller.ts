import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { CodecSessions } from './codec-sessions.js';

/** Signs in the browser that has Temporal's UI, by a link that works once. */
@Controller('codec/sign-in')
@WithoutApiKey()
export class CodecSignInController {
  constructor(
    @Inject(CodecSessions) private readonly sessions: CodecSessions,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get(':link')
  @describeOperation({
    id: 'signInToCodec',
    summary: 'Hand a session over to this browser',
    tag: 'Codec',
    answers: { 200: null },
    problems: [404, 503],
    showsPages: true,
  })
  async signIn(
    @Param('link') link: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const cookie = await this.sessions.signIn(link);
    if (cookie === undefined)
      throw new Problem('not-found', { detail: 'This link has been used or has expired.' });
    void reply.header('set-cookie', cookie).type('text/html; charset=utf-8');
    return signedInPage(`${this.config.publicUrl}/codec`);
  }
}

/** @param endpoint taken from the configuration, never from the request. */
function signedInPage(endpoint: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signed in</title>
<h1>This browser can read payloads in Temporal’s UI, for an hour</h1>
<p>If they still show encrypted there: open the data encoder settings (at the top of the page), choose to use the browser’s
own setting, enter the endpoint <code>${endpoint}</code>, and turn on “Include cross-origin credentials”. The browser keeps
that.</p>
</html>
`;
}
