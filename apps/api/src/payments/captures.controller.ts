import { Controller, Get, Inject, Param } from '@nestjs/common';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { PaymentRows } from '../rows/payment-rows.js';
import {
  type CaptureListAnswer,
  type ShownCapture,
  captureListAnswer,
  shownCapture,
} from './payment-answers.js';
import { viewCaptures } from './payment-view.js';

/** What was captured of a payment. */
@Controller('v1/payments/:id/captures')
export class CapturesController {
  constructor(@Inject(PaymentRows) private readonly payments: PaymentRows) {}

  @Get()
  @describeOperation({
    id: 'listCaptures',
    summary: 'List the captures of a payment, oldest first',
    tag: 'Payments',
    answers: { 200: captureListAnswer },
    problems: [401, 404, 503],
  })
  async list(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<CaptureListAnswer> {
    return { captures: viewCaptures((await this.payments.get(caller, id)).state) };
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
    const { captures } = await this.list(caller, id);
    const capture = captures.find((each) => each.id === captureId);
    if (!capture) throw new Problem('not-found', { detail: 'The payment has no such capture.' });
    return capture;
  }
}
