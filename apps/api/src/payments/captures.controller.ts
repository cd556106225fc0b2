import { Body, Controller, Get, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { commandStatusOf, replyWithAddress } from '../commands/command-reply.js';
import { isFinal } from '../commands/command-sender.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { captureCommand, captureOf } from './command-requests.js';
import { PaymentCommands } from './payment-commands.js';
import { type CaptureRequest, captureRequest } from './payment-requests.js';
import { subjectAddress } from '../wire/links.js';
import {
  type CaptureAnswer,
  type CaptureListAnswer,
  captureAnswer,
  type ShownCapture,
  captureListAnswer,
  shownCapture,
} from './payment-answers.js';
import { viewCaptures, viewPayment } from './payment-view.js';
import { wholeList } from '../wire/pages.js';

/** Captures a payment, and shows what was captured. */
@Controller('v1/payments/:id/captures')
export class CapturesController {
  constructor(
    @Inject(PaymentCommands) private readonly commands: PaymentCommands,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
    id: 'capturePayment',
    summary: 'Capture an authorization, whole or in part',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 201: captureAnswer, 202: captureAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async capture(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: captureRequest }) request: CaptureRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaptureAnswer> {
    const answer = await this.commands.send(caller, captureCommand(id, idempotencyKey, request));
    const { command, row } = answer;
    const capture = captureOf(answer);
    const payment = subjectAddress('payment', id, this.config);
    const address = capture ? `${payment}/captures/${encodeURIComponent(capture.id)}` : payment;
    replyWithAddress(reply, address, { isUnderWay: !isFinal(command) });
    return {
      id: command.id,
      state: commandStatusOf(command),
      capture,
      payment: viewPayment(row, this.config, Date.now()),
    };
  }

  @Get()
  @describeOperation({
    id: 'listCaptures',
    summary: 'List the captures of a payment, oldest first',
    tag: 'Payments',
    answers: { 200: captureListAnswer },
    problems: [401, 404, 503],
  })
  async list(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<CaptureListAnswer> {
    return wholeList(viewCaptures((await this.payments.get(caller, id)).state));
  }

  @Get(':captureId')
  @describeOperation({
    id: 'getCapture',
    summary: 'Show a capture of a payment',
    tag: 'Payments',
    answers: { 200: shownCapture },
    problems: [401, 404, 503],
  })
  async show(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Param('captureId') captureId: string,
  ): Promise<ShownCapture> {
    const { data } = await this.list(caller, id);
    const capture = data.find((each) => each.id === captureId);
    if (!capture) throw new Problem('not-found', { detail: 'The payment has no such capture.' });
    return capture;
  }
}
