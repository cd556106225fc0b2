import { Body, Controller, HttpCode, Inject, Options, Post, UseGuards } from '@nestjs/common';
import type { Payload } from '@temporalio/common';
import type { Logger } from 'pino';
import { type CodecSessionRow, notePayloadsShown } from '#database/access';
import type { Database } from '#database/connection';
import { EncryptingCodec, type OpenedPayload, isEncrypted } from '#payload-codec';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { databaseToken } from '../injected/database-token.js';
import { log } from '../injected/log.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { CodecAccessGuard, CodecSession } from './codec-access.guard.js';
import { type WirePayloads, fromWire, toWire, wirePayloads } from './wire-payloads.js';

/** More runs than a page of a history names: the log line stays short, whatever is asked. */
const mostRunsLogged = 20;

/** Temporal's remote codec: decrypts histories for holders of a codec session. It never encrypts. */
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
    id: 'decodePayloads',
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
    const asked = fromWire(body).map((payload) => ({ payload, opened: this.open(payload) }));
    const opened = asked.flatMap((each) => each.opened ?? []);
    await notePayloadsShown(this.db, session.id, opened.length);
    this.logger.info(
      { session: session.id, key: session.key_id, payloads: opened.length, runs: runsOf(opened) },
      'payloads of histories were decrypted for a codec session',
    );
    return toWire(asked.map((each) => this.show(each, session)));
  }

  /** Answers the browser's CORS preflight. The guard has set the headers. */
  @Options('decode')
  @HttpCode(204)
  @describeOperation({
    id: 'askToDecodePayloads',
    summary: 'Ask whether a page may call (CORS)',
    tag: 'Codec',
    answers: { 204: null },
    problems: [503],
  })
  preflight(): void {
    return;
  }

  /**
   * The result is only displayed. So payloads that Temporal stores unencrypted (search attributes, names in a local
   * activity's marker) are shown unchanged. The engine's own data converter rejects unencrypted payloads.
   */
  private open(payload: Payload): OpenedPayload | undefined {
    if (!isEncrypted(payload)) return undefined;
    try {
      return this.codec.show(payload);
    } catch {
      throw new Problem('malformed-request', { detail: 'A payload cannot be decrypted here.' });
    }
  }

  /**
   * Payloads of another application stay encrypted. Payloads from before applications were recorded do not name one.
   */
  private show(
    { payload, opened }: { readonly payload: Payload; readonly opened: OpenedPayload | undefined },
    session: CodecSessionRow,
  ): Payload {
    return opened && this.isOf(session, opened) ? opened.payload : payload;
  }

  private isOf({ environment, application }: CodecSessionRow, { place }: OpenedPayload): boolean {
    if (!place) return this.config.applications.length === 1;
    const [, ofEnvironment, ofApplication] = place.workflowId.split('/');
    return ofEnvironment === environment && ofApplication === application;
  }
}

/** The runs that the payloads belong to, as asked for: those of other applications stay encrypted. */
function runsOf(opened: readonly OpenedPayload[]): string[] {
  const runs = opened.map(({ place }) => place?.workflowId ?? 'unknown');
  return [...new Set(runs)].slice(0, mostRunsLogged).map((run) => run.slice(0, 200));
}
