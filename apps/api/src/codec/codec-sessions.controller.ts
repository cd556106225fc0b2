import { Controller, Delete, Get, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { getCodecSession, listCodecSessions, revokeCodecSession } from '#database/access';
import type { Database } from '#database/connection';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { databaseToken } from '../injected/database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { wholeList } from '../wire/pages.js';
import {
  type CodecSessionAnswer,
  type CodecSessionListAnswer,
  type OpenedCodecSessionAnswer,
  codecSessionAnswer,
  codecSessionListAnswer,
  openedCodecSessionAnswer,
  viewCodecSession,
} from './codec-session-answers.js';
import { CodecSessions } from './codec-sessions.js';

const listed = 100;

/** Lets operators read the histories of their own application for an hour, and list who has read them. */
@Controller('v1/codec-sessions')
export class CodecSessionsController {
  constructor(
    @Inject(CodecSessions) private readonly sessions: CodecSessions,
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
    id: 'createCodecSession',
    summary: 'Open a session in which histories can be read, for an hour',
    tag: 'Codec',
    needsApiKey: true,
    answers: { 201: openedCodecSessionAnswer },
    problems: [401, 503],
  })
  async open(
    @Caller() caller: ApiCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenedCodecSessionAnswer> {
    const { row, token, link } = await this.sessions.open(caller);
    void reply.header('location', `${this.config.publicUrl}/v1/codec-sessions/${row.id}`);
    return { ...viewCodecSession(row), token, signInUrl: `${this.config.publicUrl}/codec/sign-in/${link}` };
  }

  @Get()
  @describeOperation({
    id: 'listCodecSessions',
    summary: 'List the latest sessions: who could read histories, and how much was read',
    tag: 'Codec',
    needsApiKey: true,
    answers: { 200: codecSessionListAnswer },
    problems: [401, 503],
  })
  async list(@Caller() caller: ApiCaller): Promise<CodecSessionListAnswer> {
    return wholeList((await listCodecSessions(this.db, caller, listed)).map(viewCodecSession));
  }

  @Get(':id')
  @describeOperation({
    id: 'getCodecSession',
    summary: 'Show a session: until when, and how much was read',
    tag: 'Codec',
    needsApiKey: true,
    answers: { 200: codecSessionAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<CodecSessionAnswer> {
    return viewCodecSession((await getCodecSession(this.db, caller, id)) ?? noSuchSession());
  }

  @Delete(':id')
  @describeOperation({
    id: 'revokeCodecSession',
    summary: 'Revoke a session, at once',
    tag: 'Codec',
    needsApiKey: true,
    answers: { 200: codecSessionAnswer },
    problems: [401, 404, 503],
  })
  async revoke(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<CodecSessionAnswer> {
    return viewCodecSession((await revokeCodecSession(this.db, caller, id)) ?? noSuchSession());
  }
}

function noSuchSession(): never {
  throw new Problem('not-found', { detail: 'There is no such codec session.' });
}
