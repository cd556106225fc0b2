import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type NextChangeQuery, nextChangeQuery } from '../wire/fields.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { OrderPlan } from './order-plan.js';
import {
  type PlanAnswer,
  type PlanListAnswer,
  planAnswer,
  planAddress,
  planListAnswer,
  viewPlan,
} from './plan-answers.js';
import {
  type PlanListQuery,
  type PlanOrderRequest,
  planListQuery,
  planOrderRequest,
} from './plan-requests.js';
import { PlanRows } from '../rows/plan-rows.js';
import { replyToOrder } from '../commands/command-reply.js';

@Controller('v1/plans')
export class PlansController {
  constructor(
    @Inject(OrderPlan) private readonly orders: OrderPlan,
    @Inject(PlanRows) private readonly rows: PlanRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
    id: 'orderPlan',
    summary: 'Create a plan, or find the equal one that exists',
    description: 'Equal terms are one plan, which is created and activated once.',
    tag: 'Plans',
    needsApiKey: true,
    isIdempotent: true,
    answers: { 201: planAnswer, 202: planAnswer },
    problems: [400, 401, 409, 413, 415, 422, 503],
  })
  async order(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: planOrderRequest }) request: PlanOrderRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanAnswer> {
    const plan = await this.orders.order(caller, idempotencyKey, request);
    const isUnderWay = plan.status === 'creating' || plan.status === 'activating';
    replyToOrder(reply, planAddress(plan.id, this.config), { isUnderWay });
    return viewPlan(plan, this.config);
  }

  @Get()
  @describeOperation({
    id: 'listPlans',
    summary: 'List plans, newest first',
    tag: 'Plans',
    needsApiKey: true,
    answers: { 200: planListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: planListQuery }) query: PlanListQuery,
  ): Promise<PlanListAnswer> {
    const { rows, nextCursor } = await this.rows.list(caller, query);
    return {
      plans: rows.map((row) => viewPlan(row, this.config)),
      nextCursor,
    };
  }

  @Get(':id')
  @describeOperation({
    id: 'getPlan',
    summary: 'Show a plan, now or at its next change',
    tag: 'Plans',
    needsApiKey: true,
    answers: { 200: planAnswer },
    problems: [401, 404, 422, 503],
  })
  async show(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: nextChangeQuery }) query: NextChangeQuery,
    @Req() { signal }: FastifyRequest,
  ): Promise<PlanAnswer> {
    const plan = await this.rows.next(caller, id, query, signal);
    return viewPlan(plan, this.config);
  }
}
