import { setTimeout as sleep } from 'node:timers/promises';
import type { Operations } from './lifecycle.js';
import { findCallInFlightAt, holdMoneyInFlight, type Suspects } from './money-in-flight.js';
import type { Random } from './random.js';
import type { SandboxAdmin } from '#tools/sandbox-admin.js';
import type { StrikePlan } from './strike-plan.js';
import { processNameOf, victimSorts } from './victim-sorts.js';
import { reviveAll, type Victim, type Victims } from './victims.js';

export interface KillCount {
  /** Processes killed, by kind. */
  readonly kills: Readonly<Record<string, number>>;
  /** Those of them that died while a POST that moves money was in flight; see `findCallInFlightAt`. */
  readonly killsInFlight: number;
}

/** Kills and revives, one blow after the other. */
export class Killer {
  readonly #kills: Record<string, number> = {};
  #killsInFlight = 0;
  #current: Promise<void> = Promise.resolve();
  readonly #confirming: Promise<void>[] = [];

  constructor(
    private readonly options: {
      readonly victims: Victims;
      readonly admin: SandboxAdmin;
      readonly operations: Operations;
      readonly random: Random;
      readonly report: (line: string) => void;
      readonly signal: AbortSignal;
    },
  ) {
    for (const sort of victimSorts.toReversed()) this.#kills[processNameOf(sort)] = 0;
  }

  get count(): KillCount {
    return { kills: { ...this.#kills }, killsInFlight: this.#killsInFlight };
  }

  /** Begins a blow as soon as the one before it is over; resolves when it has begun, not when it is over. */
  async begin(strike: StrikePlan): Promise<void> {
    await this.#current;
    this.#current = this.#strike(strike);
    // Its failure is told by the next blow, or by `untilAlive`.
    this.#current.catch(() => {});
  }

  /** Resolves when every victim is alive again. @throws Failure when one does not come back. */
  async untilAlive(): Promise<void> {
    await this.#current;
  }

  /** Resolves when it is known of every kill whether it fell while money was in flight. */
  async untilConfirmed(): Promise<void> {
    await Promise.all(this.#confirming);
  }

  async #strike(strike: StrikePlan): Promise<void> {
    const { admin, operations, report, signal } = this.options;
    const victims = this.#chooseVictims(strike);
    // The last lines of the sandbox's log die with it, or with its database: what rests on them is read before.
    if (victims.some(({ sort }) => sort.startsWith('sandbox'))) await this.untilConfirmed();
    const { executesHeldAfterMs } = strike;
    const suspects =
      executesHeldAfterMs === undefined
        ? []
        : await holdMoneyInFlight(admin, operations, executesHeldAfterMs, signal);
    const from = Date.now();
    await Promise.all(victims.map((victim) => victim.kill()));
    const to = Date.now();
    for (const { sort } of victims) {
      const name = processNameOf(sort);
      this.#kills[name] = (this.#kills[name] ?? 0) + 1;
    }
    const isWitnessDead = victims.some(({ sort }) => sort === 'sandbox');
    const confirming = this.#confirm(victims, { calls: suspects, isWitnessDead, killed: { from, to } });
    confirming.catch(() => {});
    this.#confirming.push(confirming);
    await sleep(strike.deadForMs, undefined, { signal });
    await reviveAll(victims);
    const seconds = ((Date.now() - to) / 1_000).toFixed(1);
    report(`${namesOf(victims)}: alive again ${seconds} s after the kill`);
  }

  #chooseVictims({ targets }: StrikePlan): Victim[] {
    const { victims, random } = this.options;
    return targets.flatMap(({ sort, which }) =>
      which === 'all' ? victims[sort] : [random.pick(victims[sort])],
    );
  }

  async #confirm(victims: readonly Victim[], suspects: Suspects): Promise<void> {
    const { admin, report, signal } = this.options;
    const call = await findCallInFlightAt(admin, suspects, signal);
    if (call) this.#killsInFlight += victims.length;
    const when = call ? `while ${call.operation} ${call.id} was in flight` : 'at some moment';
    report(`killed ${namesOf(victims)} ${when}`);
  }
}

function namesOf(victims: readonly Victim[]): string {
  return victims.map(({ sort }) => sort).join(' + ');
}
