import { Pool } from 'undici';

/** A request that is sent over and over. */
export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** One server under load, over connections that stay open. */
export class Target {
  readonly #pool: Pool;

  constructor(origin: string, connections: number) {
    this.#pool = new Pool(origin, { connections, pipelining: 1 });
  }

  /** Sends `count` requests, `inFlight` at a time; answers how many a second came back. */
  async perSecond(shot: Shot, count: number, inFlight: number): Promise<number> {
    return await this.eachPerSecond(repeated(shot, count), inFlight);
  }

  /** Sends each of the shots once, `inFlight` at a time; answers how many a second came back. */
  async eachPerSecond(shots: Iterable<Shot>, inFlight: number): Promise<number> {
    const startedAt = performance.now();
    const waiting = shots[Symbol.iterator]();
    let sent = 0;
    const lanes = Array.from({ length: inFlight }, async () => {
      for (let next = waiting.next(); !next.done; next = waiting.next()) {
        await this.send(next.value);
        sent += 1;
      }
    });
    await Promise.all(lanes);
    return sent / ((performance.now() - startedAt) / 1_000);
  }

  /** Milliseconds until the answer was read. */
  async latency(shot: Shot): Promise<number> {
    const startedAt = performance.now();
    await this.send(shot);
    return performance.now() - startedAt;
  }

  /** @throws Error for an answer that is no success: a refusal must not count as fast. */
  async send({ method, path, headers, body }: Shot): Promise<unknown> {
    const answer = await this.#pool.request({
      method,
      path,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}`);
    return JSON.parse(text);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function* repeated(shot: Shot, count: number): Generator<Shot> {
  for (let sent = 0; sent < count; sent += 1) yield shot;
}
