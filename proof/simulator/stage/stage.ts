import { asNewRunsDo } from '#workflows/contract/run.js';
import { type RunMessage, type RunStart, type Subject, kindOf } from '#workflows/contract';
import { isTerminal } from '#workflows/lifecycle/payment';
import { isTerminal as isPaidOut } from '#workflows/lifecycle/payout';
import { isTerminal as isEndOfPlan } from '#workflows/lifecycle/plan';
import { isTerminal as isOver } from '#workflows/lifecycle/subscription';
import type { LifecycleState } from '#workflows/lifecycle';
import type { World } from '../core/world.js';
import { SimulatedDatabase } from '../rows/database.js';
import type { CommandRow, RowsWatcher, SubjectRow } from '../rows/row-types.js';
import { Rows } from '../rows/rows.js';
import { Exchange } from '../provider/exchange.js';
import { Server } from '../temporal/server.js';
import { type Activities, type Worker, Workers } from '../temporal/worker.js';
import { environment, application, equipment, workflows } from './equipment.js';
import { Provider } from '../provider/provider.js';

export const owner = { environment, application };

/** Everything of one world: rows, server, workers and provider, and the API's way to them. */
export class Stage {
  readonly rows: Rows;
  readonly provider: Provider;
  readonly workers: Workers;
  readonly server: Server;
  /** What each run was started with. */
  readonly starts = new Map<string, { readonly type: string; readonly input: object }>();
  private readonly waiting = new Set<() => void>();
  private readonly watchers: RowsWatcher[] = [];

  constructor(readonly world: World) {
    this.rows = new Rows(() => world.clock.now);
    this.rows.watcher = {
      subjectChanged: (before, after, timeline) => this.subjectChanged(before, after, timeline),
      commandChanged: (before, after) => this.commandChanged(before, after),
      partChanged: (...change) => {
        for (const watcher of this.watchers) watcher.partChanged?.(...change);
      },
      attemptBegun: (attempt) => {
        for (const watcher of this.watchers) watcher.attemptBegun?.(attempt);
      },
      outcomeRecorded: (before, after) => {
        for (const watcher of this.watchers) watcher.outcomeRecorded?.(before, after);
      },
    };
    this.provider = new Provider(world);
    this.workers = new Workers(world, (worker) => this.equip(worker));
    this.server = new Server(world, this.workers, workflows);
  }

  readonly watch = (watcher: RowsWatcher): void => void this.watchers.push(watcher);

  // The caller knows whose row it asks for.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  readonly row = <State extends LifecycleState>(id: string): SubjectRow & { readonly state: State } => {
    const row = this.rows.subjects.get(id);
    if (!row) throw new Error(`no row ${id}`);
    return row as SubjectRow & { readonly state: State };
  };

  readonly workflowId = (id: string): string => `${kindOf({ id })}/${environment}/${application}/${id}`;

  /** Resolves once a row or command is as it is waited for; never, where it never is. */
  async until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.waiting.delete(look);
        this.world.clock.after(this.world.draws.between('notice', 1, 30), resolve);
      };
      this.waiting.add(look);
    });
  }

  /** The API's request to the server; the order service repeats it until it is answered. */
  async tellRun(
    id: string,
    message: { readonly id: string; readonly event: { readonly type: string } },
  ): Promise<boolean> {
    const { clock, draws, faults } = this.world;
    await clock.sleep(draws.between('to server', 1, 15));
    if (faults.strikes('signal delayed', 0.03, `${message.event.type} reaches the server late`)) {
      await clock.sleep(draws.spread('delayed', 20, 10_000));
    }
    return this.server.signal(this.workflowId(id), message.event.type, message);
  }

  /**
   * A command of the order service's, as apps/api/src/commands gives it: refused by the rows, or committed, and handed
   * to the run.
   */
  async command(
    subjectId: string,
    kind: CommandRow['kind'],
    eventOf: (commandId: string) => { readonly type: string },
    isRefused: (event: { readonly type: string }) => boolean,
  ): Promise<CommandRow | undefined> {
    if (isRefused(eventOf(''))) return undefined;
    const id = this.world.nextId('cmd_');
    const { type: _type, commandId: _id, ...parameters } = { commandId: id, ...eventOf(id) };
    this.rows.commands.accept({ id, kind, subjectId, parameters });
    this.world.tell(() => `the order service asks for a ${kind} (${id})`);
    const { faults, clock, draws } = this.world;
    if (faults.strikes('api death', 0.03, `the API dies before it hands over ${id}`))
      return this.rows.commands.get(id);
    const tell = async () => await this.tellRun(subjectId, { id, event: eventOf(id) });
    const isTaken = await tell();
    if (faults.strikes('signal unheard', 0.03, `nobody hears that ${id} was handed over`)) {
      await clock.sleep(draws.spread('sent again', 5, 10_000));
      await tell();
    }
    if (!isTaken && this.hasEnded(subjectId)) {
      this.rows.commands.refuse(id, { code: 'not_allowed_in_state', reason: 'It has ended.' });
    }
    return this.rows.commands.get(id);
  }

  /** The API commits an order, and starts its run; it may die between the two. */
  start(id: string, type: string, input: object): void {
    this.starts.set(id, { type, input });
    if (this.world.faults.strikes('start lost', 0.02, `the API dies before it starts ${id}`)) return;
    this.server.start(id, type, input);
  }

  /** What comes after an end is read by a run of its own, where none is open any more. */
  startReading(id: string, { type, input }: RunStart): void {
    if (this.server.runs.get(this.workflowId(id))?.ended) this.rows.timelines.adopt(this.row(id));
    this.server.start(this.workflowId(id), type, { ...(input as object), ...asNewRunsDo });
  }

  private hasEnded(id: string): boolean {
    const { status } = this.row(id);
    const ends = {
      payment: isTerminal,
      payout: isPaidOut,
      plan: isEndOfPlan,
      subscription: isOver,
    } as const;
    return ends[kindOf({ id }) as keyof typeof ends](status as never);
  }

  private equip(worker: Worker): Activities {
    const db = new SimulatedDatabase(this.world, this.rows, worker);
    const exchange = new Exchange(this.world, worker, this.provider);
    const client = this.provider.clientFor(exchange);
    const providers = {
      for: () => client,
      recording: async <T>(work: () => Promise<T>) => await exchange.recording(work),
    };
    const runs = {
      signal: async ({ id }: Subject, message: RunMessage) => await this.tellRun(id, message),
    };
    return equipment({ db, providers, runs, changes: { announce: () => undefined } });
  }

  private subjectChanged(...[before, after, timeline]: Parameters<RowsWatcher['subjectChanged']>): void {
    if (before?.status !== after.status) {
      this.world.tell(
        () =>
          `row: ${after.id} ${before ? `${before.status} → ` : ''}${after.status} (version ${after.version})`,
      );
    }
    for (const watcher of this.watchers) watcher.subjectChanged(before, after, timeline);
    for (const look of this.waiting) look();
  }

  private commandChanged(before: CommandRow | undefined, after: CommandRow): void {
    if (before?.status !== after.status)
      this.world.tell(() => `row: ${after.kind} ${after.id} ${after.status}`);
    for (const watcher of this.watchers) watcher.commandChanged(before, after);
    for (const look of this.waiting) look();
  }
}
