import { createParser } from 'eventsource-parser';
import { until } from '../helpers/until.js';

export interface HeardEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly id: string; readonly data: Readonly<Record<string, unknown>> };
}

/** A client of server-sent events. */
export class Listener {
  readonly events: HeardEvent[] = [];
  lastEventId = '';
  readonly ended: Promise<void>;
  private readonly stop = new AbortController();

  private constructor(response: (signal: AbortSignal) => Promise<Response>, opened: (id: string) => void) {
    const parser = createParser({
      onEvent: ({ id = '', event = '', data }) => {
        this.lastEventId = id;
        this.events.push({ id, type: event, data: JSON.parse(data) as HeardEvent['data'] });
      },
    });
    const read = async () => {
      const { body } = await response(this.stop.signal);
      const decoder = new TextDecoder();
      for await (const chunk of body ?? []) {
        const text = decoder.decode(chunk, { stream: true });
        const [, id] = /^retry: 1000\nid: (\S+)\n\n/.exec(text) ?? [];
        if (id !== undefined) {
          this.lastEventId = id;
          opened(id);
        }
        parser.feed(text);
      }
    };
    this.ended = read().catch(() => undefined);
  }

  /** @returns the listener once it stands somewhere. */
  static async open(url: string, headers: Record<string, string>): Promise<Listener> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const listener = new Listener(async (signal) => await fetch(url, { headers, signal }), resolve);
    await promise;
    return listener;
  }

  /**
   * All events, once there are so many.
   *
   * @param ids only those about these: a stream begins before every open transaction, also those of other tests.
   */
  async has(count: number, ids?: readonly string[]): Promise<readonly HeardEvent[]> {
    const isAsked = ({ data }: HeardEvent) => !ids || ids.includes(String(data.data['id']));
    return await until(
      async () => this.events.filter(isAsked),
      (events) => events.length >= count,
      `${count} events`,
    );
  }

  close(): void {
    this.stop.abort();
  }
}
