import { Body, Controller, HttpCode, Inject, Options, Post, UseGuards } from '@nestjs/common';
import { EncryptingCodec, isEncrypted } from '../../../../libs/payload-codec/src/encrypting-codec.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { CodecAccessGuard } from './codec-access.guard.js';
import { type WirePayloads, fromWire, toWire, wirePayloads } from './wire-payloads.js';

const secret = { secret: 'The codec endpoint’s secret.' };

/** Temporal's remote codec: shows encrypted histories to those who may see them. */
@Controller('codec')
@WithoutApiKey()
@UseGuards(CodecAccessGuard)
export class CodecController {
  private readonly codec: EncryptingCodec;

  constructor(@Inject(apiConfig) { codecKeys }: ApiConfig) {
    this.codec = new EncryptingCodec(codecKeys);
  }

  @Post(':secret/decode')
  @HttpCode(200)
  @describeOperation({
    summary: 'Decrypt payloads of a history',
    tag: 'Codec',
    parameters: secret,
    answers: { 200: wirePayloads },
    problems: [400, 404, 413, 415, 422],
  })
  async decodeBySecret(@Body({ schema: wirePayloads }) body: WirePayloads): Promise<WirePayloads> {
    return await this.decode(body);
  }

  @Post(':secret/encode')
  @HttpCode(200)
  @describeOperation({
    summary: 'Encrypt payloads for a run',
    tag: 'Codec',
    parameters: secret,
    answers: { 200: wirePayloads },
    problems: [400, 404, 413, 415, 422],
  })
  async encodeBySecret(@Body({ schema: wirePayloads }) body: WirePayloads): Promise<WirePayloads> {
    return toWire(await this.codec.encode(fromWire(body)));
  }

  /** A browser asks beforehand whether Temporal's UI may call; the guard has answered in headers. */
  @Options([':secret/decode', ':secret/encode'])
  @HttpCode(204)
  @describeOperation({
    summary: 'Ask whether a page may call (CORS)',
    tag: 'Codec',
    parameters: secret,
    answers: { 204: null },
    problems: [404],
  })
  preflight(): void {
    return;
  }

  /**
   * For eyes only, so what Temporal itself keeps in the clear (search attributes, the names in a local activity's
   * marker) is shown as it stands. The engine's own data converter believes nothing that is not encrypted.
   */
  private async decode(body: WirePayloads): Promise<WirePayloads> {
    try {
      const shown = fromWire(body).map(async (payload) =>
        isEncrypted(payload) ? await this.codec.decode([payload]) : [payload],
      );
      return toWire((await Promise.all(shown)).flat());
    } catch {
      throw new Problem('malformed-request', { detail: 'A payload cannot be decrypted here.' });
    }
  }
}
