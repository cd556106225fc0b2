import { setTimeout as sleep } from 'node:timers/promises';
import { findCallInFlightAt, holdMoneyInFlight } from './money-in-flight.js';
import type { Random } from './random.js';
import type { Call, SandboxAdmin } from './sandbox-admin.js';
import type { StrikePlan } from './strike-plan.js';
import type { Victim, Victims } from './victims.js';

export interface KillCount {
  /** Processes killed, by kind. */
  readonly kills: Readonly<Record<string, number>>;
  /** Those of them that the sandbox's log shows to have died while a POST that moves money was in flight. */
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
      readonly random: Random;
      readonly report: (line: string) => void;
      readonly signal: AbortSignal;
    },
  ) {
    for (const kind of Object.keys(options.victims)) this.#kills[kind] = 0;
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
    const { admin, signal } = this.options;
    const victims = this.#chooseVictims(strike);
    const { executesHeldAfterMs } = strike;
    const suspects =
      executesHeldAfterMs === undefined ? [] : await holdMoneyInFlight(admin, executesHeldAfterMs, signal);
    const from = Date.now();
    await Promise.all(victims.map((victim) => victim.kill()));
    const to = Date.now();
    for (const { kind } of victims) this.#kills[kind] = (this.#kills[kind] ?? 0) + 1;
    const confirming = this.#confirm(victims, suspects, { from, to });
    confirming.catch(() => {});
    this.#confirming.push(confirming);
    await sleep(strike.deadForMs, undefined, { signal });
    await Promise.all(victims.map((victim) => victim.revive()));
  }

  #chooseVictims({ targets }: StrikePlan): Victim[] {
    const { victims, random } = this.options;
    return targets.flatMap(({ kind, which }) =>
      which === 'all' ? victims[kind] : [random.pick(victims[kind])],
    );
  }

  async #confirm(
    victims: readonly Victim[],
    suspects: readonly Call[],
    killed: { from: number; to: number },
  ): Promise<void> {
    const { admin, report, signal } = this.options;
    const call = await findCallInFlightAt(admin, suspects, killed, signal);
    if (call) this.#killsInFlight += victims.length;
    const who = victims.map(({ kind }) => kind).join(' + ');
    report(`killed ${who} ${call ? `while ${call.operation} ${call.id} was in flight` : 'at some moment'}`);
  }
}
