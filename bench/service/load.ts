import { Pool } from 'undici';

/** A request that is sent over and over. */
export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** One server under load, over connections that stay open. */
export class Target {
  readonly #pool: Pool;

  constructor(origin: string, connections: number) {
    this.#pool = new Pool(origin, { connections, pipelining: 1 });
  }

  /** Sends `count` requests, `inFlight` at a time; answers how many a second came back. */
  async perSecond(shot: Shot, count: number, inFlight: number): Promise<number> {
    const startedAt = performance.now();
    let sent = 0;
    const lanes = Array.from({ length: inFlight }, async () => {
      while (sent++ < count) await this.send(shot);
    });
    await Promise.all(lanes);
    return count / ((performance.now() - startedAt) / 1_000);
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
