import type { Chance } from './chance.js';

const MOST_OF_A_KIND = 200;
const NEWEST = 3;
const KIND_OF_PATH: readonly [RegExp, string][] = [
  [/\/payments\/payment\/([^/?]+)/, 'payment'],
  [/\/payments\/authorization\/([^/?]+)/, 'authorization'],
  [/\/payments\/sale\/([^/?]+)/, 'sale'],
  [/\/payments\/capture\/([^/?]+)/, 'capture'],
  [/\/payments\/refund\/([^/?]+)/, 'refund'],
  [/\/billing-plans\/([^/?]+)/, 'plan'],
  [/\/billing-agreements\/(I-[^/?]+)/, 'agreement'],
  [/\/billing-agreements\/([^/?]+)\/agreement-execute/, 'agreementToken'],
  [/\/payouts\/([^/?]+)/, 'payout'],
  [/\/payouts-item\/([^/?]+)/, 'payoutItem'],
  [/\/webhooks\/([^/?]+)/, 'webhook'],
  [/\/webhooks-events\/([^/?]+)/, 'event'],
  [/[?&]token=([^&]+)/, 'approvalToken'],
];

/** Identifiers learnt from the links in the service’s answers, the newest of each kind. */
export class Identifiers {
  readonly #byKind = new Map<string, string[]>([['application', ['fuzzed', 'fuzzed-2']]]);

  learnFrom(answer: string): void {
    for (const [, href] of answer.matchAll(/"href":"([^"]+)"/g)) {
      for (const [pattern, kind] of KIND_OF_PATH) {
        const id = pattern.exec(href!)?.[1];
        if (id !== undefined) this.#remember(kind, id);
      }
    }
  }

  pick(chance: Chance, kind: string): string {
    const known = this.#byKind.get(kind);
    if (known === undefined) return 'PAY-0XL713371A312273YKE2GCNI';
    // Often one of the newest: so that calls meet on a resource that can still change.
    return chance.pick(chance.happens(0.5) ? known.slice(-NEWEST) : known);
  }

  get kinds(): string[] {
    return [...this.#byKind.keys()];
  }

  #remember(kind: string, id: string): void {
    const known = this.#byKind.get(kind) ?? [];
    if (known.includes(id)) return;
    known.push(id);
    if (known.length > MOST_OF_A_KIND) known.shift();
    this.#byKind.set(kind, known);
  }
}
