import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { freePort } from '#tools/ports.js';
import type { Random } from '../random.js';
import { drawDeath, drawHandling, type Handling, type ReceiverFaults } from './receiver-faults.js';
import { parseNotification, type Reception } from './reception.js';

/** Longer than the engine waits for an answer. */
const lateMs = 16_000;
const slowMs = 1_500;

/** The order service's side of an endpoint: it verifies and keeps what comes, and fails as the seed says. */
export class Receiver {
  /** Every sound delivery, in the order in which they have come. */
  readonly receptions: Reception[] = [];
  readonly #known = new Set<string>();
  readonly #faults = { refused: 0, late: 0, brokenOff: 0, died: 0 };
  readonly #calm = new AbortController();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => this.#take(Buffer.concat(chunks).toString(), request.headers, response));
  });
  #secret = '';
  #dying: Promise<void> = Promise.resolve();

  private constructor(
    private readonly port: number,
    private readonly random: Random,
    private readonly onNews: (reception: Reception) => void,
  ) {}

  /** @param onNews gets each notification when it comes first. */
  static async start(random: Random, onNews: (reception: Reception) => void): Promise<Receiver> {
    const receiver = new Receiver(await freePort(), random, onNews);
    await receiver.#listen();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/notifications`;
  }

  get faults(): ReceiverFaults {
    return { ...this.#faults };
  }

  /** @param secret of its endpoint. */
  expect(secret: string): void {
    this.#secret = secret;
  }

  dieNowAndThen(): void {
    this.#dying = this.#dieAgainAndAgain().catch(() => {});
  }

  /** From now on it takes everything. */
  async recover(): Promise<void> {
    this.#calm.abort();
    await this.#dying;
  }

  async close(): Promise<void> {
    await this.recover();
    this.#disconnect();
  }

  #take(body: string, headers: IncomingHttpHeaders, response: ServerResponse): void {
    const reception = this.#verified(body, headers);
    if (!reception) {
      response.writeHead(401).end();
      return;
    }
    const isFirst = !this.#known.has(reception.id);
    this.#known.add(reception.id);
    this.receptions.push(reception);
    if (isFirst) this.onNews(reception);
    const handling = this.#calm.signal.aborted ? 'take' : drawHandling(this.random, isFirst);
    this.#answer(reception, response, handling);
  }

  #verified(body: string, headers: IncomingHttpHeaders): Reception | undefined {
    try {
      new Webhook(this.#secret).verify(body, headers as Record<string, string>);
      return { ...parseNotification(body), at: new Date() };
    } catch {
      return undefined;
    }
  }

  #answer(reception: Reception, response: ServerResponse, handling: Handling): void {
    const take = (): void => {
      if (response.destroyed) return;
      reception.takenAfter ??= this.receptions.length;
      response.writeHead(204).end();
    };
    switch (handling) {
      case 'take':
        take();
        return;
      case 'takeSlowly':
        setTimeout(take, slowMs);
        return;
      case 'answerLate':
        this.#faults.late += 1;
        setTimeout(take, lateMs);
        return;
      case 'refuse':
        this.#faults.refused += 1;
        response.writeHead(500).end();
        return;
      case 'breakOff':
        this.#faults.brokenOff += 1;
        response.destroy();
    }
  }

  async #dieAgainAndAgain(): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      const { afterMs, forMs } = drawDeath(this.random, isFirst);
      await sleep(afterMs, undefined, { signal: this.#calm.signal });
      this.#faults.died += 1;
      this.#disconnect();
      // Somebody who recovers early listens again, too.
      await sleep(forMs, undefined, { signal: this.#calm.signal }).catch(() => {});
      await this.#listen();
    }
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  #disconnect(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
