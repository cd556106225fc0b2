import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { internalAddressCode } from '#payments-client/addresses';
import type { NotificationSettings } from '../injected/api-config.js';
import { isForbiddenHost, receiverLookup } from './receiver-address.js';

/** Of an answer only its status counts; the rest of a longer one is not read. */
const mostAnswerBytes = 65_536;

/** A connection without a request is closed then, however long its receiver would keep it. */
const longestIdleMs = 4_000;

export interface Outgoing {
  readonly url: string;
  /** Our id of the notification: the receiver sees a repetition by it. */
  readonly id: string;
  readonly body: string;
  /** The current one, and earlier ones while they still sign. */
  readonly secrets: readonly string[];
}

/** `reason` is why it was not taken; absent if it was. */
export interface Answer {
  readonly status?: number;
  readonly reason?: string;
}

type Settings = NotificationSettings & { readonly timeoutMs: number };

/** Sends notifications, signed to the Standard Webhooks specification. It follows no redirect. */
export class NotificationSender {
  private readonly dispatcher: Agent;

  constructor(private readonly settings: Settings) {
    const { timeoutMs } = settings;
    this.dispatcher = new Agent({
      connect: { timeout: timeoutMs, lookup: receiverLookup(settings) },
      connections: 16,
      // No limit of origins: one application's receivers could use it up, and those of others would get nothing.
      keepAliveMaxTimeout: longestIdleMs,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  async send({ url, id, body, secrets }: Outgoing): Promise<Answer> {
    if (isForbiddenHost(url, this.settings)) return { reason: 'The address is internal.' };
    const signal = AbortSignal.timeout(this.settings.timeoutMs);
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'payments',
          ...signed(id, body, secrets),
        },
        body,
        dispatcher: this.dispatcher,
        signal,
      });
      await answer.body.dump({ limit: mostAnswerBytes, signal });
      return answerOf(answer.statusCode);
    } catch (error) {
      if (signal.aborted) return { reason: 'It did not answer in time.' };
      return { reason: `It could not be reached: ${causeOf(error)}.` };
    }
  }
}

/** @param secrets each signs. */
function signed(id: string, body: string, secrets: readonly string[]): Record<string, string> {
  const at = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

function answerOf(status: number): Answer {
  if (status >= 200 && status < 300) return { status };
  if (status >= 300 && status < 400)
    return { status, reason: 'It answered with a redirect, which is not followed.' };
  return { status, reason: `It answered ${status}.` };
}

/** A sentence of ours, or a code such as ECONNREFUSED; a message may quote what nobody should read. */
function causeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (code === internalAddressCode) return 'it leads to an internal address';
  if (code === 'ENOTFOUND') return 'its host cannot be resolved';
  return typeof code === 'string' ? code : 'the connection failed';
}
