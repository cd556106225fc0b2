import type { Command, OrderService } from '../faults/order-service.js';
import { around } from '../faults/around.js';

interface Span {
  /** On the campaign's own clock, in milliseconds; infinite while it lasts. */
  readonly from: number;
  to: number;
}

interface Call extends Span {
  /** Of a repetition under the same key: `capture again`. */
  readonly kind: string;
}

export interface Delays {
  /** The longest that a call under a deployment took beyond what is usual for its kind. */
  readonly longestMs: number;
  /** Of calls that met neither a deployment nor a kill: what the machine, and the rest of its load, does to them. */
  readonly longestOtherwiseMs: number;
  /** What is usual: the median, by kind. */
  readonly usualMs: Readonly<Record<string, number>>;
  /** Calls under deployments. */
  readonly calls: number;
  /** The slowest of them, each in words. */
  readonly slowest: readonly string[];
}

/** A run may be known to a worker that has left: Temporal gives its task to another one after ten seconds. */
const aftermathMs = 12_000;
const shownSlowest = 5;

/** Measures how long accepted requests wait for their outcome, and which deployment or kill they met. */
export class DelayClock {
  readonly #calls: Call[] = [];
  readonly #deployments: (Span & { readonly what: string })[] = [];
  readonly #kills: Span[] = [];
  readonly #keys = new Set<string>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The same order service, whose requests are measured, from the first time that they are sent to their outcome. */
  measured(orderService: OrderService): OrderService {
    return around(orderService, ['submit'], async (go, [command]) => {
      const { kind, key } = command as Command;
      const call = { kind: this.#keys.has(key) ? `${kind} again` : kind, from: this.now(), to: Infinity };
      this.#keys.add(key);
      this.#calls.push(call);
      await go();
      call.to = this.now();
    });
  }

  async deployment(what: string, make: () => Promise<void>): Promise<void> {
    await this.#during(this.#deployments, { what, from: this.now(), to: Infinity }, make);
  }

  async kill(make: () => Promise<void>): Promise<void> {
    await this.#during(this.#kills, { from: this.now(), to: Infinity }, make);
  }

  /** Calls without an outcome count as if they ended now. */
  measure(): Delays {
    const end = this.now();
    const calls = this.#calls
      .map((call) => ({ ...call, to: Math.min(call.to, end) }))
      .filter((call) => !this.#kills.some((kill) => meet(call, kill)));
    const under = calls.filter((call) => this.#deploymentOf(call) !== undefined);
    const others = calls.filter((call) => this.#deploymentOf(call) === undefined);
    const usualMs = mediansOf(others, calls);
    const beyond = ({ kind, from, to }: Call): number => Math.max(0, to - from - (usualMs[kind] ?? 0));
    const sorted = under.toSorted((one, other) => beyond(other) - beyond(one));
    return {
      longestMs: Math.round(Math.max(0, ...under.map(beyond))),
      longestOtherwiseMs: Math.round(Math.max(0, ...others.map(beyond))),
      usualMs,
      calls: under.length,
      slowest: sorted.slice(0, shownSlowest).map((call) => this.#inWords(call, beyond(call))),
    };
  }

  async #during<S extends Span>(spans: S[], span: S, make: () => Promise<void>): Promise<void> {
    spans.push(span);
    try {
      await make();
    } finally {
      span.to = this.now() + aftermathMs;
    }
  }

  #deploymentOf(call: Span): (Span & { readonly what: string }) | undefined {
    return this.#deployments.find((deployment) => meet(call, deployment));
  }

  #inWords(call: Call, beyondMs: number): string {
    const { what = '', from = 0, to = 0 } = this.#deploymentOf(call) ?? {};
    const [began, ended] = [call.from - from, to - aftermathMs - from].map((ms) => Math.round(ms));
    return `${call.kind}: ${Math.round(beyondMs)} ms beyond usual, begun ${began} ms after the begin of "${what}", which took ${ended} ms`;
  }
}

function meet(one: Span, other: Span): boolean {
  return one.from < other.to && other.from < one.to;
}

/** Of those that met nothing, or of all where there are none. */
function mediansOf(others: readonly Call[], all: readonly Call[]): Record<string, number> {
  const kinds = [...new Set(all.map(({ kind }) => kind))].toSorted();
  return Object.fromEntries(
    kinds.map((kind) => {
      const undisturbed = others.filter((call) => call.kind === kind);
      const chosen = undisturbed.length === 0 ? all.filter((call) => call.kind === kind) : undisturbed;
      const sorted = chosen.map(({ from, to }) => to - from).toSorted((one, other) => one - other);
      return [kind, Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)];
    }),
  );
}
