import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Failure } from '#tools/failure.js';
import { type Answer, exchange, exchangeUntilAnswered } from '#tools/http.js';
import type { ReportedEnds } from './reported-ends.js';

const problem = z.object({
  title: z.string().default(''),
  detail: z.string().default(''),
  currentState: z.string().optional(),
});

/**
 * One request with one Idempotency-Key, and the engine's answers so far.
 * - `open`: not known yet, or 202: accepted and under way.
 * - `failed`: 402, the provider did not do it. `refused`: another 4xx.
 */
export interface Command {
  /** What is asked for, in the lifecycle's own word. */
  readonly kind: string;
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
  /** When it was sent first, on the campaign's own clock; a repeat has the same key and the same instant. */
  firstSentAt?: number;
  outcome: 'open' | 'succeeded' | 'failed' | 'refused';
  /** Body of the engine's last 2xx, that of a 202 included. */
  answer?: unknown;
  /** Of a failure or refusal. */
  detail?: string;
}

/** What everything has that can be read from the engine and changes. */
interface Versioned {
  readonly version: number;
}

const longPollSeconds = 10;

/**
 * The engine's HTTP API as an order service must use it by docs/api.md: the same key again until the answer is final.
 */
export class OrderService {
  constructor(
    /** One per API process; any of them will do. */
    private readonly origins: readonly string[],
    private readonly apiKey: string,
    private readonly reported: ReportedEnds,
  ) {}

  newCommand(kind: string, path: string, body: unknown): Command {
    return { kind, path, body, key: randomUUID(), outcome: 'open' };
  }

  /** Sends a command until the engine has a final answer, and notes it there. */
  async submit(command: Command, signal: AbortSignal): Promise<void> {
    const answer = await exchangeUntilAnswered(
      (attempt) => this.#send(attempt, command.path, signal, command),
      signal,
      (answer) => isUnderWay(command, answer),
    );
    note(command, answer);
  }

  /** Waits until the resource at `path` satisfies the condition. */
  async until<View extends Versioned>(
    path: string,
    view: z.ZodType<View>,
    satisfies: (seen: View) => boolean,
    signal: AbortSignal,
  ): Promise<View> {
    let known = await this.read(path, view, signal);
    while (!satisfies(known)) {
      const query = `?wait=${longPollSeconds}&since=${known.version}`;
      const seen = await this.read(path + query, view, signal);
      if (seen.version === known.version) await sleep(100, undefined, { signal });
      known = seen;
    }
    return known;
  }

  /** Requests one check, whatever its result. */
  async check(path: string, signal: AbortSignal): Promise<void> {
    await this.ask(`${path}/check`, signal);
  }

  /** Asks once for what needs no answer. */
  async ask(path: string, signal: AbortSignal): Promise<void> {
    await this.#send(0, path, signal, this.newCommand('ask', path, {})).catch(() => {});
  }

  async read<View>(path: string, view: z.ZodType<View>, signal: AbortSignal): Promise<View> {
    const answer = await exchangeUntilAnswered((attempt) => this.#send(attempt, path, signal), signal);
    if (answer.status !== 200) throw unexpected(path, answer);
    return view.parse(JSON.parse(answer.text));
  }

  /** One exchange; its answer is recorded in every case. */
  async #send(attempt: number, path: string, signal: AbortSignal, command?: Command): Promise<Answer> {
    const at = performance.now();
    if (command) command.firstSentAt ??= at;
    const answer = await this.#exchange(attempt, path, signal, command);
    const asked = { method: command ? 'POST' : 'GET', path, at } as const;
    if (answer.status < 300) this.reported.noteAnswer(JSON.parse(answer.text), asked);
    else if (tellsState(answer))
      this.reported.noteProblem(JSON.parse(answer.text), { ...asked, at: command?.firstSentAt ?? at });
    return answer;
  }

  #exchange(attempt: number, path: string, signal: AbortSignal, command?: Command): Promise<Answer> {
    const origin = this.origins[attempt % this.origins.length] ?? '';
    const authorization = `Bearer ${this.apiKey}`;
    if (!command) return exchange(origin + path, { headers: { authorization } }, signal);
    const headers = {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': command.key,
    };
    return exchange(origin + path, { method: 'POST', headers, body: JSON.stringify(command.body) }, signal);
  }
}

/** 202: accepted for good, and the answer is still to come. */
function isUnderWay(command: Command, { status, text }: Answer): boolean {
  if (status !== 202) return false;
  command.answer = JSON.parse(text);
  return true;
}

function note(command: Command, answer: Answer): void {
  if (tellsState(answer) || answer.status === 422) {
    const { title, detail, currentState } = problem.parse(JSON.parse(answer.text));
    command.outcome = answer.status === 402 ? 'failed' : 'refused';
    command.detail = `${answer.status} ${title}: ${detail} (${currentState ?? 'no state given'})`;
    return;
  }
  if (answer.status >= 300) throw unexpected(command.path, answer);
  command.outcome = 'succeeded';
  command.answer = JSON.parse(answer.text);
}

/** Declined by the provider, or refused because of the state. */
function tellsState({ status }: Answer): boolean {
  return status === 402 || status === 409;
}

/** An answer that neither the provider nor time explains: engine and campaign disagree about the API. */
function unexpected(path: string, { status, text }: Answer): Failure {
  return new Failure(`${path} was answered ${status}: ${text.slice(0, 500)}`);
}
