import { Body, Controller, Inject, Post, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { replyWithAddress } from '../commands/command-reply.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { describeOperation } from '../openapi/describe-operation.js';
import type { SubjectView } from '../rows/subject-rows.js';
import { subjectAddress } from '../wire/links.js';
import { type OrderRoutes, type Orders, type SubjectRoutes, titleOf } from './subject-routes.js';

/** Takes orders for subjects of one kind. */
export function orderController<Row extends SubjectView, Filter, Answer extends z.ZodType, Request>({
  kind,
  tag,
  answer,
  view,
  order: { orders, request: schema, isUnderWay, ...words },
}: SubjectRoutes<Row, Filter, Answer> & OrderRoutes<Row, Request>): Type {
  @Controller(`v1/${kind}s`)
  class OrderController {
    constructor(
      @Inject(orders) private readonly orders: Orders<Row, Request>,
      @Inject(apiConfig) private readonly config: ApiConfig,
    ) {}

    @Post()
    @describeOperation({
      ...words,
      id: `order${titleOf(kind)}`,
      tag,
      isIdempotent: true,
      answers: { 201: answer, 202: answer },
      problems: [400, 401, 409, 413, 415, 422, 503],
    })
    async order(
      @Caller() caller: ApiCaller,
      @IdempotencyKey() idempotencyKey: string,
      @Body({ schema }) request: Request,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<z.output<Answer>> {
      const row = await this.orders.order(caller, idempotencyKey, request);
      replyWithAddress(reply, subjectAddress(kind, row.id, this.config), { isUnderWay: isUnderWay(row) });
      return view(row, this.config, Date.now());
    }
  }
  return OrderController;
}
