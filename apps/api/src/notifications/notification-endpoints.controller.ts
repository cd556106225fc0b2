import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { announceChange, type Database } from '#database/connection';
import { deleteEndpoint, listEndpoints, replayNotifications, insertTest } from '#database/notifications';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import {
  type EndpointAnswer,
  type EndpointListAnswer,
  type EndpointWithSecretAnswer,
  type ReplayAnswer,
  type TestAnswer,
  endpointAnswer,
  endpointListAnswer,
  endpointWithSecretAnswer,
  replayAnswer,
  testAnswer,
  viewEndpoint,
} from './endpoint-answers.js';
import {
  type EndpointChangeRequest,
  type NewEndpointRequest,
  type ReplayRequest,
  type RotationRequest,
  endpointChangeRequest,
  newEndpointRequest,
  replayRequest,
  rotationRequest,
} from './endpoint-requests.js';
import { type EndpointWithSecret, NotificationEndpoints } from './notification-endpoints.js';
import { wholeList } from '../wire/pages.js';

/** The endpoints of order services: where they receive notifications, and of which types. */
@Controller('v1/notification-endpoints')
export class NotificationEndpointsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(NotificationEndpoints) private readonly endpoints: NotificationEndpoints,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
    id: 'registerNotificationEndpoint',
    summary: 'Register an endpoint for notifications',
    description:
      'From now on it gets a notification of what happens to the payments, refunds, subscriptions and payouts of the application. The answer has the secret that verifies the signatures (Standard Webhooks).',
    tag: 'Notifications',
    needsApiKey: true,
    isIdempotent: true,
    answers: { 201: endpointWithSecretAnswer },
    problems: [400, 401, 409, 413, 415, 422, 503],
  })
  async register(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: newEndpointRequest }) request: NewEndpointRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecretAnswer> {
    const endpoint = await this.endpoints.register(caller, idempotencyKey, request);
    void reply.header('location', `${this.config.publicUrl}/v1/notification-endpoints/${endpoint.row.id}`);
    return viewWithSecret(endpoint, caller);
  }

  @Get()
  @describeOperation({
    id: 'listNotificationEndpoints',
    summary: 'List the endpoints for notifications, oldest first',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 200: endpointListAnswer },
    problems: [401, 503],
  })
  async list(@Caller() caller: ApiCaller): Promise<EndpointListAnswer> {
    const now = Date.now();
    return wholeList((await listEndpoints(this.db, caller)).map((row) => viewEndpoint(row, now, caller)));
  }

  @Get(':id')
  @describeOperation({
    id: 'getNotificationEndpoint',
    summary: 'Show an endpoint',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 200: endpointAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<EndpointAnswer> {
    return viewEndpoint(await this.endpoints.get(caller, id), Date.now(), caller);
  }

  @Patch(':id')
  @describeOperation({
    id: 'changeNotificationEndpoint',
    summary: 'Change an endpoint, disable it or enable it again',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 200: endpointAnswer },
    problems: [400, 401, 404, 413, 415, 422, 503],
  })
  async change(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Body({ schema: endpointChangeRequest }) request: EndpointChangeRequest,
  ): Promise<EndpointAnswer> {
    const row = await this.endpoints.change(caller, id, request);
    await announceChange(this.db, id);
    return viewEndpoint(row, Date.now(), caller);
  }

  @Delete(':id')
  @HttpCode(204)
  @describeOperation({
    id: 'deleteNotificationEndpoint',
    summary: 'Delete an endpoint: nothing more is sent to it',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 204: null },
    problems: [401, 404, 503],
  })
  async delete(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<void> {
    await this.endpoints.get(caller, id);
    await deleteEndpoint(this.db, caller, id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @describeOperation({
    id: 'rotateNotificationSecret',
    summary: 'Replace the secret; the one before signs too for a while',
    tag: 'Notifications',
    needsApiKey: true,
    isIdempotent: true,
    answers: { 200: endpointWithSecretAnswer },
    problems: [400, 401, 404, 409, 413, 415, 422, 503],
  })
  async rotate(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: rotationRequest }) request: RotationRequest,
  ): Promise<EndpointWithSecretAnswer> {
    return viewWithSecret(await this.endpoints.rotate(caller, id, idempotencyKey, request), caller);
  }

  @Post(':id/test')
  @HttpCode(202)
  @describeOperation({
    id: 'testNotificationEndpoint',
    summary: 'Send a test notification',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 202: testAnswer },
    problems: [401, 404, 503],
  })
  async test(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<TestAnswer> {
    const notificationId = await insertTest(this.db, caller, await this.endpoints.get(caller, id));
    await announceChange(this.db, id);
    return { notificationId };
  }

  @Post(':id/replay')
  @HttpCode(202)
  @describeOperation({
    id: 'replayNotifications',
    summary: 'Deliver notifications again: those that failed, or all of a time',
    description:
      'What was written while the endpoint was disabled has failed. A time also has what was written before the endpoint was registered. At most 10,000 at a time, the oldest first.',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 202: replayAnswer },
    problems: [400, 401, 404, 413, 415, 422, 503],
  })
  async replay(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Body({ schema: replayRequest }) request: ReplayRequest,
  ): Promise<ReplayAnswer> {
    const { id: endpointId } = await this.endpoints.get(caller, id);
    const which = 'failed' in request ? request : { from: new Date(request.from), to: new Date(request.to) };
    const notifications = await replayNotifications(this.db, endpointId, which);
    await announceChange(this.db, id);
    return { notifications };
  }
}

function viewWithSecret({ row, secret }: EndpointWithSecret, caller: ApiCaller): EndpointWithSecretAnswer {
  return { ...viewEndpoint(row, Date.now(), caller), secret };
}
