import { Body, Controller, Get, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { listCallFacts } from '../../../../libs/database/src/api-calls.js';
import { listAttempts } from '../../../../libs/database/src/attempts.js';
import { listDecisions } from '../../../../libs/database/src/commands.js';
import type { Database } from '../../../../libs/database/src/database.js';
import { withoutEmails } from '../../../../libs/database/src/storable-text.js';
import { decideRefund } from '../../../../libs/workflows/src/lifecycle/refund/transition.js';
import { isSettled } from '../../../../libs/workflows/src/lifecycle/refund/refund.js';
import { possibleDecisions } from '../../../../libs/workflows/src/lifecycle/refund/review.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { Commands, isFinal } from '../commands/commands.js';
import { IdempotencyKey, bodyHash } from '../commands/idempotency.js';
import { databaseToken } from '../database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { viewEvidence } from '../payments/review-view.js';
import {
  type RefundDecisionAnswer,
  type RefundReviewAnswer,
  refundDecisionAnswer,
  refundReviewAnswer,
} from './refund-answers.js';
import { problemOfDecision } from './refund-problems.js';
import { type RefundDecisionRequest, refundDecisionRequest } from './refund-requests.js';
import { RefundRows } from './refund-rows.js';
import { refundAddress, viewRefund } from './refund-view.js';

/** What an operator reads, and decides, where the provider has not proved whether a refund was made. */
@Controller('v1/refunds/:id/review')
export class RefundReviewController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Commands) private readonly commands: Commands,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  @describeOperation({
    summary: 'Show the evidence about a refund: calls, looks, attempts, decisions',
    tag: 'Payments',
    answers: { 200: refundReviewAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<RefundReviewAnswer> {
    const { state } = await this.refunds.get(caller, id);
    const [attempts, calls, decisions] = await Promise.all([
      listAttempts(this.db, id),
      listCallFacts(this.db, id),
      listDecisions(this.db, id),
    ]);
    return {
      refundId: id,
      status: state.status,
      reason: state.reason ?? null,
      possibleDecisions: [...possibleDecisions(state)],
      ...viewEvidence(state.openStep, { attempts, calls, decisions }),
    };
  }

  @Post('decision')
  @HttpCode(200)
  @describeOperation({
    summary: 'Decide whether a refund was made',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 200: refundDecisionAnswer, 202: refundDecisionAnswer },
    problems: [400, 401, 404, 409, 413, 415, 422, 503],
  })
  async decide(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: refundDecisionRequest }) request: RefundDecisionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefundDecisionAnswer> {
    const { decision, evidence, isUnverified } = request;
    const parameters = {
      decision,
      reason: withoutEmails(request.reason),
      ...(evidence && { resourceId: evidence.resourceId }),
      ...(isUnverified && { isUnverified }),
    };
    const answer = await this.commands.give(
      caller,
      {
        kind: 'decide',
        subjectId: id,
        idempotencyKey,
        bodyHash: bodyHash(parameters),
        parameters,
        event: (commandId) => ({ type: 'reviewDecided', commandId, ...parameters }) as const,
      },
      {
        read: () => this.refunds.get(caller, id),
        refusalOf: ({ state }, event) => {
          const taken = decideRefund(state, event, Date.now());
          return taken.kind === 'refused' ? taken.refusal : undefined;
        },
        hasEnded: ({ status }) => isSettled(status),
        problemOf: (refund, _kind, result) => problemOfDecision(refund, result),
      },
    );
    const { command, row: refund } = answer;
    if (!isFinal(command)) {
      void reply.status(202).header('retry-after', '1').header('location', refundAddress(id, this.config));
    }
    return {
      id: command.id,
      status: command.status === 'accepted' || command.status === 'executing' ? command.status : 'succeeded',
      refund: viewRefund(refund, refund, this.config),
    };
  }
}
