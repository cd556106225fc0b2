import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { SubscriberReturn } from './subscriber-return.js';
import { type SubscriberReturnQuery, subscriberReturnQuery } from './subscription-requests.js';

/**
 * The routes to which the provider redirects the payer's browser. They need no API key but the approval token, which
 * only the payer has.
 */
@Controller('v1/subscriptions/:id')
@WithoutApiKey()
export class SubscriberController {
  constructor(@Inject(SubscriberReturn) private readonly returns: SubscriberReturn) {}

  @Get('return')
  @describeOperation({
    id: 'returnApprovedSubscriber',
    summary: 'The payer of a subscription returns after approving',
    tag: 'Payer',
    redirects: true,
    problems: [404, 422, 503],
  })
  async approved(
    @Param('id') id: string,
    @Query({ schema: subscriberReturnQuery }) { token }: SubscriberReturnQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const target = await this.returns.approved(id, token);
    void reply.status(303).header('location', target);
  }

  @Get('cancelled')
  @describeOperation({
    id: 'returnCancelledSubscriber',
    summary: 'The payer of a subscription returns after cancelling',
    tag: 'Payer',
    redirects: true,
    problems: [404, 422, 503],
  })
  async cancelled(
    @Param('id') id: string,
    @Query({ schema: subscriberReturnQuery }) { token }: SubscriberReturnQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const target = await this.returns.cancelled(id, token);
    void reply.status(303).header('location', target);
  }
}
