import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { type PaymentListQuery, paymentListQuery } from './subscription-requests.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import {
  type SubscriptionPaymentsAnswer,
  subscriptionPaymentsAnswer,
  viewPayments,
} from './subscription-view.js';

/** The payments of a subscription. */
@Controller('v1/subscriptions/:id/payments')
export class SubscriptionPaymentsController {
  constructor(@Inject(SubscriptionRows) private readonly rows: SubscriptionRows) {}

  @Get()
  @describeOperation({
    id: 'listSubscriptionPayments',
    tag: 'Subscriptions',
    summary: 'List the payments of a subscription, oldest first',
    answers: { 200: subscriptionPaymentsAnswer },
    problems: [401, 404, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: paymentListQuery }) query: PaymentListQuery,
  ): Promise<SubscriptionPaymentsAnswer> {
    return viewPayments(await this.rows.payments(caller, id, query));
  }
}
