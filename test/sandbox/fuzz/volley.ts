import { Pool } from 'undici';
import { expect } from 'vitest';
import type { Identifiers } from './identifiers.js';
import { SCRIPT } from './mutations.js';
import type { FuzzedRequest } from './requests.js';

const LONGEST_WAIT_MS = 60_000;
/** Traces of the program in an answer: a stack frame, a source file, a driver’s or a validator’s own words. */
const TRACES = /\n\s+at |node_modules|\/apps\/sandbox|\.ts:\d|SELECT .* FROM|violates .* constraint|ZodError/;

export interface Finding {
  request: FuzzedRequest;
  status: number | string;
  answer: string;
  why: string;
}

/** Sends requests over kept-alive connections, at most so many at a time, and judges each answer alone. */
export class Volley {
  readonly findings: Finding[] = [];
  readonly #counts = new Map<string, number>();
  readonly #pool: Pool;

  constructor(
    url: string,
    private readonly identifiers: Identifiers,
    private readonly atATime: number,
  ) {
    this.#pool = new Pool(url, {
      connections: atATime,
      headersTimeout: LONGEST_WAIT_MS,
      bodyTimeout: LONGEST_WAIT_MS,
    });
  }

  async send(count: number, next: (index: number) => FuzzedRequest): Promise<void> {
    let sent = 0;
    const sender = async () => {
      while (sent < count) await this.#sendOne(next(sent++));
    };
    await Promise.all(Array.from({ length: this.atATime }, sender));
  }

  /** Answers by class of status, with `error` for those that came to nothing. */
  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([one], [other]) => one.localeCompare(other)));
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  expectNothingFound(): void {
    expect(
      this.findings.slice(0, 5),
      `${this.findings.length} answers of ${this.total} are wrong; the first five`,
    ).toEqual([]);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #sendOne(request: FuzzedRequest): Promise<void> {
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        ...request,
      });
      const answer = await body.text();
      this.#count(`${Math.floor(statusCode / 100)}xx`);
      if (statusCode < 300) this.identifiers.learnFrom(answer);
      const why = faultOf(request, statusCode, String(headers['content-type'] ?? ''), answer);
      if (why !== undefined) this.#find(request, statusCode, answer, why);
    } catch (error) {
      this.#count('error');
      this.#find(request, String(error), '', 'no answer');
    }
  }

  #count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  #find(request: FuzzedRequest, status: number | string, answer: string, why: string): void {
    const body = request.body?.toString().slice(0, 600) ?? null;
    this.findings.push({ request: { ...request, body }, status, answer: answer.slice(0, 600), why });
  }
}

function faultOf(
  { method, path }: FuzzedRequest,
  status: number,
  type: string,
  answer: string,
): string | undefined {
  if (status >= 500) return 'a server error';
  if (TRACES.test(answer)) return 'tells of the program';
  if (type.startsWith('text/html') && answer.includes(SCRIPT)) return 'a script of the request';
  if (status < 400 || method === 'HEAD') return undefined;
  return path.startsWith('/v1/') ? faultOfError(path, type, answer) : undefined;
}

/** Errors have one documented shape (provider facts, "Errors"). */
function faultOfError(path: string, type: string, answer: string): string | undefined {
  if (!type.startsWith('application/json')) return 'an error that is not JSON';
  const error = JSON.parse(answer) as Record<string, unknown>;
  if (path.startsWith('/v1/oauth2/token') && typeof error['error'] === 'string') return undefined;
  const isDocumented = ['name', 'message', 'debug_id'].every((field) => typeof error[field] === 'string');
  const details = (error['details'] ?? []) as { issue?: unknown }[];
  return isDocumented && details.every(({ issue }) => typeof issue === 'string')
    ? undefined
    : 'another shape of error';
}
