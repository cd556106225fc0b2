import { randomUUID } from 'node:crypto';
import type { ApiConfig } from '#api/injected/api-config.js';
import { NotificationReceiver } from '../helpers/notification-receiver.js';
import { until } from '../helpers/until.js';
import { type Answer, ApiFixture, type CallOptions } from './api-fixture.js';

export interface Registered {
  readonly id: string;
  readonly secret: string;
}

export interface ShownNotification {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly deliveries: readonly {
    readonly endpointId: string;
    readonly state: string;
    readonly attempts: number;
    readonly lastStatus: number | null;
    readonly lastReason: string | null;
  }[];
  readonly attempts: readonly { readonly status: number | null; readonly reason: string | null }[];
  readonly payload: unknown;
}

/** An API that looks for due deliveries often and tries a failed one again at once, and what it tells. */
export class NotifiedShop {
  private readonly receivers: NotificationReceiver[] = [];

  private constructor(readonly api: ApiFixture) {}

  static async start(
    notifications: ApiConfig['notifications'] = {},
    overrides: Partial<ApiConfig> = {},
  ): Promise<NotifiedShop> {
    const settings = { allowsAnyAddress: true, sweepMs: 50, waitsMs: [1, 1, 1], ...notifications };
    return new NotifiedShop(await ApiFixture.start({ notifications: settings, ...overrides }));
  }

  async close(): Promise<void> {
    for (const receiver of this.receivers) receiver.close();
    await this.api.close();
  }

  async receiver(): Promise<NotificationReceiver> {
    const receiver = await NotificationReceiver.start();
    this.receivers.push(receiver);
    return receiver;
  }

  /** A receiver of its own, registered. */
  async endpoint(
    body: object = {},
    options: CallOptions = {},
  ): Promise<Registered & { readonly receiver: NotificationReceiver }> {
    const receiver = await this.receiver();
    return { ...(await this.register({ url: receiver.url, ...body }, options)), receiver };
  }

  async register(body: object, options: CallOptions = {}): Promise<Registered> {
    const answer = await this.ask('', body, options);
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body as unknown as Registered;
  }

  async ask(path: string, body?: object, options: CallOptions = {}): Promise<Answer> {
    return await this.api.call('POST', `/v1/notification-endpoints${path}`, {
      ...(body && { body }),
      idempotencyKey: randomUUID(),
      ...options,
    });
  }

  /** Tells all that it knows of the endpoints of a test, so that the next one is alone. */
  async forgetEndpoints(): Promise<void> {
    const { body } = await this.api.call('GET', '/v1/notification-endpoints');
    for (const { id } of body['data'] as Registered[])
      await this.api.call('DELETE', `/v1/notification-endpoints/${id}`);
  }

  async list(query: string, options: CallOptions = {}): Promise<readonly ShownNotification[]> {
    const { body } = await this.api.call('GET', `/v1/notifications?${query}`, options);
    return body['data'] as ShownNotification[];
  }

  async show(id: string): Promise<ShownNotification> {
    const { body } = await this.api.call('GET', `/v1/notifications/${id}`);
    return body as unknown as ShownNotification;
  }

  /** The only notification about a subject that has deliveries, once all of them are in this state. */
  async delivered(subjectId: string, state = 'delivered'): Promise<ShownNotification> {
    const [reported] = await until(
      async () => (await this.list(`subject=${subjectId}`)).filter(({ deliveries }) => deliveries.length > 0),
      (list) => list.length === 1 && list[0]?.deliveries.every((one) => one.state === state) === true,
      `a notification of ${subjectId} that is ${state}`,
    );
    return await this.show(reported?.id ?? '');
  }
}
