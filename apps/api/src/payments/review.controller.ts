import { Body, Controller, Get, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { listCallFacts } from '../../../../libs/database/src/api-calls.js';
import { listAttempts } from '../../../../libs/database/src/attempts.js';
import { listDecisions } from '../../../../libs/database/src/commands.js';
import type { Database } from '../../../../libs/database/src/database.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { databaseToken } from '../database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { isFinal } from '../commands/commands.js';
import { decisionCommand } from './command-requests.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { PaymentCommands } from './payment-commands.js';
import { type DecisionRequest, decisionRequest } from './payment-requests.js';
import { PaymentRows } from './payment-rows.js';
import { paymentAddress, viewPayment } from './payment-view.js';
import { type DecisionAnswer, type ReviewAnswer, decisionAnswer, reviewAnswer } from './review-answers.js';
import { viewReview } from './review-view.js';

/** What an operator reads, and decides, where the provider has not proved what became of the money. */
@Controller('v1/payments/:id/review')
export class ReviewController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(PaymentCommands) private readonly commands: PaymentCommands,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  @describeOperation({
    summary: 'Show the evidence about a payment: calls, looks, attempts, decisions',
    tag: 'Payments',
    answers: { 200: reviewAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<ReviewAnswer> {
    const payment = await this.rows.get(caller, id);
    const [attempts, calls, decisions] = await Promise.all([
      listAttempts(this.db, payment.id),
      listCallFacts(this.db, payment.id),
      listDecisions(this.db, payment.id),
    ]);
    return viewReview(payment, { attempts, calls, decisions });
  }

  @Post('decision')
  @HttpCode(200)
  @describeOperation({
    summary: 'Decide what is under review',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 200: decisionAnswer, 202: decisionAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async decide(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: decisionRequest }) request: DecisionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DecisionAnswer> {
    const answer = await this.commands.give(caller, decisionCommand(id, idempotencyKey, request));
    const { command, row: payment } = answer;
    if (!isFinal(command)) {
      void reply
        .status(202)
        .header('retry-after', '1')
        .header('location', paymentAddress(payment.id, this.config));
    }
    return {
      id: command.id,
      status: command.status === 'accepted' || command.status === 'executing' ? command.status : 'succeeded',
      payment: viewPayment(payment, this.config, Date.now()),
    };
  }
}
