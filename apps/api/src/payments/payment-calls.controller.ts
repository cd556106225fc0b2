import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { databaseToken } from '../injected/database-token.js';
import { listAttempts } from '#database/commands';
import type { Database } from '#database/connection';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { PaymentRows } from '../rows/payment-rows.js';
import {
  type CallListAnswer,
  type CallListQuery,
  callListAnswer,
  callListQuery,
  viewCallList,
} from '../wire/provider-call.js';

/** The calls to the provider for a payment. */
@Controller('v1/payments/:id/calls')
export class PaymentCallsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
  ) {}

  @Get()
  @describeOperation({
    id: 'listPaymentCalls',
    summary: 'List the calls to the provider for a payment, newest first',
    description:
      'The latest recorded call first, without headers and bodies. A call is recorded when it has ended; one whose worker died before is not listed. Of reads by reconciliation only those are listed that showed a new difference. The calls for refunds are not listed here.',
    tag: 'Payments',
    answers: { 200: callListAnswer },
    problems: [401, 404, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: callListQuery }) query: CallListQuery,
  ): Promise<CallListAnswer> {
    const page = await this.rows.listCalls(caller, id, query);
    return viewCallList(page, await listAttempts(this.db, id));
  }
}
