import { Body, Controller, HttpCode, Inject, Options, Post, UseGuards } from '@nestjs/common';
import type { Payload } from '@temporalio/common';
import type { Logger } from 'pino';
import { type CodecSessionRow, notePayloadsShown } from '#database/access';
import type { Database } from '#database/connection';
import { EncryptingCodec, claimedPlace, isEncrypted } from '#payload-codec';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { databaseToken } from '../database-token.js';
import { log } from '../log.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { CodecAccessGuard, CodecSession } from './codec-access.guard.js';
import { type WirePayloads, fromWire, toWire, wirePayloads } from './wire-payloads.js';

/** Temporal's remote codec: shows encrypted histories to those who may see them, and encrypts nothing. */
@Controller('codec')
@WithoutApiKey()
@UseGuards(CodecAccessGuard)
export class CodecController {
  private readonly codec: EncryptingCodec;

  constructor(
    @Inject(apiConfig) private readonly config: ApiConfig,
    @Inject(databaseToken) private readonly db: Database,
    @Inject(log) private readonly logger: Logger,
  ) {
    this.codec = new EncryptingCodec(config.codecKeys);
  }

  @Post('decode')
  @HttpCode(200)
  @describeOperation({
    summary: 'Decrypt payloads of a history',
    description:
      'Needs a session: its token as "Authorization: Bearer <token>", or, from Temporal’s UI, its cookie.',
    tag: 'Codec',
    answers: { 200: wirePayloads },
    problems: [400, 401, 413, 415, 422, 503],
  })
  async decode(
    @CodecSession() session: CodecSessionRow,
    @Body({ schema: wirePayloads }) body: WirePayloads,
  ): Promise<WirePayloads> {
    const payloads = fromWire(body);
    const encrypted = payloads.filter(isEncrypted).length;
    await notePayloadsShown(this.db, session.id, encrypted);
    this.logger.info({ session: session.id, key: session.key_id, payloads: encrypted }, 'payloads are shown');
    return toWire(await Promise.all(payloads.map((payload) => this.show(payload, session))));
  }

  /** A browser asks beforehand whether Temporal's UI may call; the guard has answered in headers. */
  @Options('decode')
  @HttpCode(204)
  @describeOperation({
    summary: 'Ask whether a page may call (CORS)',
    tag: 'Codec',
    answers: { 204: null },
    problems: [503],
  })
  preflight(): void {
    return;
  }

  /**
   * For eyes only, so what Temporal itself keeps in the clear (search attributes, the names in a local activity's
   * marker) is shown as it stands. The engine's own data converter believes nothing that is not encrypted.
   */
  private async show(payload: Payload, session: CodecSessionRow): Promise<Payload> {
    if (!isEncrypted(payload)) return payload;
    const [decrypted] = await this.codec.decode([payload]).catch(() => {
      throw new Problem('malformed-request', { detail: 'A payload cannot be decrypted here.' });
    });
    return decrypted && this.isOf(session, payload) ? decrypted : payload;
  }

  /** What belongs to another application stays as it is. One from before there were places does not say whose it is. */
  private isOf({ environment, application }: CodecSessionRow, payload: Payload): boolean {
    const place = claimedPlace(payload);
    if (!place) return this.config.applications.length === 1;
    const [, ofEnvironment, ofApplication] = place.workflowId.split('/');
    return ofEnvironment === environment && ofApplication === application;
  }
}
