import { Controller, Get, Headers, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Position } from '#database/notifications';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { type EventStream, positionOf } from './event-stream.js';
import { LiveEvents } from './live-events.js';

const description =
  'Server-sent events: each has the type of a notification as `event`, its body as `data`, and an `id` for `Last-Event-ID`. Without that header the stream begins now; events of the last moment can come too. It ends when the API stops, when its listener takes nothing for a minute, and when the API key expires; a client resumes with `Last-Event-ID` and misses nothing. An event can come twice: its body has an `id`.';

/** The notifications, for those that hold a connection open. */
@Controller('v1')
export class LiveEventsController {
  constructor(
    @Inject(LiveEvents) private readonly events: LiveEvents,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
  ) {}

  @Get('events')
  @describeOperation({
    id: 'listenToEvents',
    summary: 'Listen to the events of all resources',
    description,
    tag: 'Notifications',
    needsApiKey: true,
    streamsEvents: true,
    problems: [400, 401, 503],
  })
  async all(
    @Caller() caller: ApiCaller,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendEvents(reply, await this.events.open(caller, { after: placeIn(lastEventId) }));
  }

  @Get('payments/:id/events')
  @describeOperation({
    id: 'listenToPaymentEvents',
    summary: 'Listen to the events of a payment and its refunds',
    description,
    tag: 'Payments',
    streamsEvents: true,
    problems: [400, 401, 404, 503],
  })
  async ofPayment(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = placeIn(lastEventId);
    await this.payments.get(caller, id);
    sendEvents(reply, await this.events.open(caller, { after, about: id }));
  }
}

function placeIn(lastEventId: string | undefined): Position | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  const position = positionOf(lastEventId);
  if (position) return position;
  const detail = 'must be the id of an event of this API';
  throw new Problem('malformed-request', { errors: [{ header: 'Last-Event-ID', detail }] });
}

function sendEvents(reply: FastifyReply, { readable }: EventStream): void {
  // Proxies pass each event on at once.
  void reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8').send(readable);
}
