import { Body, Controller, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { captureCommand, plainCommand, reauthorizeCommand, shownCapture } from './command-requests.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { type CaptureAnswer, type PaymentAnswer, captureAnswer, paymentAnswer } from './payment-answers.js';
import { PaymentCommands } from './payment-commands.js';
import {
  type CaptureRequest,
  type ReauthorizeRequest,
  captureRequest,
  reauthorizeRequest,
  releaseRequest,
  voidRequest,
  cancelRequest,
} from './payment-requests.js';
import { paymentAddress, viewPayment } from './payment-view.js';
import { replyToCommand, commandStatusOf } from '../commands/command-reply.js';

/** The commands that an order service can give for an ordered payment. */
@Controller('v1/payments/:id')
export class PaymentCommandsController {
  constructor(
    @Inject(PaymentCommands) private readonly commands: PaymentCommands,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post('captures')
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
    replyToCommand(reply, answer.command, paymentAddress(id, this.config));
    const { command, row } = answer;
    return {
      id: command.id,
      status: commandStatusOf(command),
      capture: shownCapture(answer),
      payment: viewPayment(row, this.config, Date.now()),
    };
  }

  @Post('void')
  @HttpCode(200)
  @describeOperation({
    id: 'voidPayment',
    summary: 'Void an authorization, or what was not captured of it',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 200: paymentAnswer, 202: paymentAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async void(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: voidRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentAnswer> {
    const answer = await this.commands.send(caller, plainCommand('void', id, idempotencyKey));
    replyToCommand(reply, answer.command, paymentAddress(id, this.config));
    return viewPayment(answer.row, this.config, Date.now());
  }

  @Post('release')
  @HttpCode(200)
  @describeOperation({
    id: 'releasePayment',
    summary: 'Release the rest of an authorization after a partial capture',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 200: paymentAnswer, 202: paymentAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async release(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: releaseRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentAnswer> {
    const answer = await this.commands.send(caller, plainCommand('release', id, idempotencyKey));
    replyToCommand(reply, answer.command, paymentAddress(id, this.config));
    return viewPayment(answer.row, this.config, Date.now());
  }

  @Post('cancel')
  @HttpCode(200)
  @describeOperation({
    id: 'cancelPayment',
    summary: 'Cancel a payment that the payer has not approved',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 200: paymentAnswer, 202: paymentAnswer },
    problems: [400, 401, 404, 409, 413, 415, 422, 503],
  })
  async cancel(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: cancelRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentAnswer> {
    const answer = await this.commands.send(caller, plainCommand('cancel', id, idempotencyKey));
    replyToCommand(reply, answer.command, paymentAddress(id, this.config));
    return viewPayment(answer.row, this.config, Date.now());
  }

  @Post('reauthorize')
  @HttpCode(200)
  @describeOperation({
    id: 'reauthorizePayment',
    summary: 'Reauthorize the funds after the honour period',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 200: paymentAnswer, 202: paymentAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async reauthorize(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: reauthorizeRequest }) request: ReauthorizeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentAnswer> {
    const answer = await this.commands.send(caller, reauthorizeCommand(id, idempotencyKey, request));
    replyToCommand(reply, answer.command, paymentAddress(id, this.config));
    return viewPayment(answer.row, this.config, Date.now());
  }
}
