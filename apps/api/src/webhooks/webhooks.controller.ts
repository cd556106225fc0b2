import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { ReceivedBody } from '../requests/received-body.js';
import { addresseeOf } from './addressee.js';
import { WebhookIntake } from './webhook-intake.js';

const webhookAnswer = z.object({ received: z.literal(true) }).meta({ id: 'WebhookReceipt' });

@Controller('webhooks')
@WithoutApiKey()
export class WebhooksController {
  constructor(
    @Inject(WebhookIntake) private readonly intake: WebhookIntake,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post(':environment/:application/:secret')
  @HttpCode(200)
  @describeOperation({
    id: 'receiveWebhook',
    summary: 'Receive a webhook event from the provider',
    description:
      'Answers after the event is committed and before it is processed. The provider must deliver it again unless the answer is 2xx.',
    tag: 'Provider',
    takesAnyJson: true,
    answers: { 200: webhookAnswer },
    problems: [400, 401, 404, 413, 415, 503],
  })
  async receive(
    @Req() request: FastifyRequest,
    @Body() body: unknown,
  ): Promise<z.output<typeof webhookAnswer>> {
    const bytes = body instanceof ReceivedBody ? body.bytes : Buffer.alloc(0);
    await this.intake.receive(addresseeOf(this.config, request), request.headers, bytes);
    return { received: true };
  }
}
