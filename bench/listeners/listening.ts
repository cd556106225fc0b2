import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An event as a listener has got it. */
export interface Heard {
  /** Of the stream, for Last-Event-ID. */
  readonly place: string;
  /** Of the notification. */
  readonly notification: string;
}

/** A listener with nothing but its socket, so that a thousand of them cost the measuring process little. */
export class RawListener {
  /** Where it is: the last id that came whole. */
  place = '';
  readonly heard: Heard[] = [];
  hasEnded = false;
  private rest = '';

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.take(text));
    socket.on('error', () => undefined).once('close', () => (this.hasEnded = true));
  }

  /** @returns the listener once it stands somewhere. */
  static async open(
    origin: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<RawListener> {
    const { hostname, port } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const lines = Object.entries({ host: hostname, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const listener = new RawListener(socket);
    while (listener.place === '' && !listener.hasEnded)
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    if (listener.place === '') throw new Error(`GET ${path}: ${listener.rest.slice(0, 300)}`);
    return listener;
  }

  /** Takes nothing any more. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }

  /** An event ends with an empty line; frames of the chunked encoding may stand between any two bytes. */
  private take(text: string): void {
    this.rest += text;
    for (let end = this.rest.indexOf('\n\n'); end >= 0; end = this.rest.indexOf('\n\n')) {
      const event = this.rest.slice(0, end);
      this.rest = this.rest.slice(end + 2);
      const place = /(?:^|\n)id: (\d+-\d+)/.exec(event)?.[1];
      if (place === undefined) continue;
      this.place = place;
      const notification = /"id" ?: ?"(evt_\w+)"/.exec(event)?.[1];
      if (notification !== undefined) this.heard.push({ place, notification });
    }
  }
}
