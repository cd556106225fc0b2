import type { ManagedProcess } from '#tools/managed-process.js';
import { freePort } from '#tools/ports.js';
import type { Stack } from '#tools/stack.js';
import type { Restarter } from '../faults/campaign/restarter.js';
import { type Victims, victimsOf } from '../faults/campaign/victims.js';
import type { LoadBalancer } from './load-balancer.js';

type Variables = Readonly<Record<string, string>>;

interface Api {
  readonly process: ManagedProcess;
  readonly origin: string;
}

/**
 * The workers and APIs of a stack. One that is to go ends by SIGTERM once its successor is ready, as a rolling update
 * without unavailable pods does it.
 */
export class Fleet {
  #workers: readonly ManagedProcess[];
  #apis: readonly Api[];

  constructor(
    private readonly stack: Stack,
    private readonly balancer: LoadBalancer,
    private readonly restarter: Restarter,
  ) {
    this.#workers = stack.workers;
    this.#apis = stack.apis.map((process, index) => ({ process, origin: stack.apiUrls[index] ?? '' }));
    this.#balance();
  }

  /** Those that there are at the moment of a kill. */
  get victims(): Victims {
    const now = (): Victims =>
      victimsOf(
        { ...this.stack, workers: this.#workers, apis: this.#apis.map(({ process }) => process) },
        this.restarter,
      );
    return {
      ...now(),
      get worker() {
        return now().worker;
      },
      get api() {
        return now().api;
      },
    };
  }

  /** One after the other. */
  async replaceWorkers(variables: Variables): Promise<void> {
    for (const old of this.#workers) {
      await this.#addWorker(variables);
      await this.#removeWorker(old);
    }
  }

  /** One after the other. */
  async replaceApis(): Promise<void> {
    for (const old of this.#apis) {
      await this.#addApi();
      await this.#removeApi(old);
    }
  }

  async scaleWorkers(count: number, variables: Variables): Promise<void> {
    while (this.#workers.length < count) await this.#addWorker(variables);
    for (const one of this.#workers.slice(count)) await this.#removeWorker(one);
  }

  async scaleApis(count: number): Promise<void> {
    while (this.#apis.length < count) await this.#addApi();
    for (const one of this.#apis.slice(count)) await this.#removeApi(one);
  }

  async #addWorker(variables: Variables): Promise<void> {
    const worker = await this.stack.addWorker(variables);
    this.restarter.keep([worker]);
    this.#workers = [...this.#workers, worker];
  }

  async #removeWorker(one: ManagedProcess): Promise<void> {
    this.#workers = this.#workers.filter((other) => other !== one);
    await one.stop();
  }

  async #addApi(): Promise<void> {
    const origin = `http://127.0.0.1:${await freePort()}`;
    const process = await this.stack.addApi(origin);
    this.restarter.keep([process]);
    this.#apis = [...this.#apis, { process, origin }];
    this.#balance();
  }

  /** No new connection is sent to one that is to end. */
  async #removeApi(one: Api): Promise<void> {
    this.#apis = this.#apis.filter((other) => other !== one);
    this.#balance();
    await one.process.stop();
  }

  #balance(): void {
    this.balancer.sendTo(this.#apis.map(({ origin }) => origin));
  }
}
