import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { describeOperation } from '../openapi/describe-operation.js';
import {
  type PayerCancelQuery,
  type PayerReturnQuery,
  payerCancelQuery,
  payerReturnQuery,
} from './payer-queries.js';
import { PayerReturn } from './payer-return.js';

/**
 * The routes to which the provider redirects the payer's browser. They need no API key but the approval token, which
 * only the payer has.
 */
@Controller('v1/payments/:id')
@WithoutApiKey()
export class PayerController {
  constructor(@Inject(PayerReturn) private readonly returns: PayerReturn) {}

  @Get('return')
  @describeOperation({
    id: 'returnApprovedPayer',
    summary: 'The payer returns after approving',
    tag: 'Payer',
    redirects: true,
    problems: [404, 422, 503],
  })
  async approved(
    @Param('id') id: string,
    @Query({ schema: payerReturnQuery }) query: PayerReturnQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const target = await this.returns.approved(id, query);
    void reply.status(303).header('location', target);
  }

  @Get('cancel')
  @describeOperation({
    id: 'returnCancelledPayer',
    summary: 'The payer returns after cancelling',
    tag: 'Payer',
    redirects: true,
    problems: [404, 422, 503],
  })
  async cancelled(
    @Param('id') id: string,
    @Query({ schema: payerCancelQuery }) query: PayerCancelQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const target = await this.returns.cancelled(id, query);
    void reply.status(303).header('location', target);
  }
}
