import { adoptedRefundId } from '#database/subjects';
import { type EventRoute, routeEvent } from '#webhook-inbox/event-route.js';
import { type RunMessage, type Subject, kindOf } from '#workflows/contract';
import { isTerminal } from '#workflows/lifecycle/payment';
import { observedRefund } from '#workflows/lifecycle/refund';
import { isTerminal as isPaidOut } from '#workflows/lifecycle/payout';
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

type StartRefund = Extract<EventRoute, { kind: 'startRefund' }>;

/** What a webhook tells of. */
export interface ToldEvent {
  readonly id: string;
  readonly eventType: string;
  readonly kind: string;
  readonly resourceId: string;
  readonly state: string;
  /** The provider's id of the payment that it names besides. */
  readonly paymentId?: string | undefined;
  readonly updatedAt?: number | undefined;
}

export const owner = { environment, application };

/** Everything of one world: rows, server, workers and provider, and the API's way to them. */
export class Stage {
  readonly rows: Rows;
  readonly provider: Provider;
  readonly workers: Workers;
  readonly server: Server;
  private readonly waiting = new Set<() => void>();
  private readonly watchers: RowsWatcher[] = [];

  constructor(readonly world: World) {
    this.rows = new Rows(() => world.clock.now);
    this.rows.watcher = {
      subjectChanged: (before, after, timeline) => this.subjectChanged(before, after, timeline),
      commandChanged: (before, after) => this.commandChanged(before, after),
      attemptSettled: (before, after) => {
        for (const watcher of this.watchers) watcher.attemptSettled?.(before, after);
      },
    };
    this.provider = new Provider(world);
    this.workers = new Workers(world, (worker) => this.equip(worker));
    this.server = new Server(world, this.workers, workflows);
  }

  readonly watch = (watcher: RowsWatcher): void => void this.watchers.push(watcher);

  // The caller knows whose row it asks for.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  row<State extends LifecycleState>(id: string): SubjectRow & { readonly state: State } {
    const row = this.rows.subjects.get(id);
    if (!row) throw new Error(`no row ${id}`);
    return row as SubjectRow & { readonly state: State };
  }

  workflowId(id: string): string {
    return `${kindOf({ id })}/${environment}/${application}/${id}`;
  }

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
    const isTaken = await this.tellRun(subjectId, { id, event: eventOf(id) });
    if (!isTaken && this.hasEnded(subjectId)) {
      this.rows.commands.refuse(id, { code: 'not_allowed_in_state', reason: 'It has ended.' });
    }
    return this.rows.commands.get(id);
  }

  /** As the inbox dispatches an event: to the run, or to nobody while it is not known whose it is. */
  async notify(event: ToldEvent): Promise<void> {
    const { clock, draws } = this.world;
    for (let looks = 0; looks < 12; looks += 1) {
      const subject = this.rows.subjects.get(
        this.rows.resources.get(event.resourceId) ?? this.subjectOf(event) ?? '',
      );
      if (subject) {
        const { kind, resourceId, state, updatedAt, paymentId } = event;
        const dated = updatedAt !== undefined && { updatedAt };
        const resource = { kind, id: resourceId, state, ...dated };
        const ids = paymentId === undefined ? [] : [paymentId, resourceId];
        const routed = { event_id: event.id, event_type: event.eventType, resource, resource_ids: ids };
        const route = routeEvent(routed as never, { id: subject.id, state: subject.state });
        if (route.kind === 'setStatus' && route.status !== 'parked') return;
        if (route.kind === 'signal') {
          await this.tellRun(subject.id, route.message);
          return;
        }
        if (route.kind === 'startReading') {
          const { type, input } = route.runOf({ ...owner, id: subject.id });
          this.server.start(this.workflowId(subject.id), type, { ...input, recordsTime: true });
          await this.tellRun(subject.id, route.message);
          return;
        }
        if (route.kind === 'startRefund') return this.startRefund(event.id, subject.id, route);
      }
      await clock.sleep(10_000 * 2 ** looks + draws.between('sweep', 0, 10_000));
    }
  }

  /** What is known counts at once: its row is there before its run. */
  private startRefund(eventId: string, subjectId: string, route: StartRefund): void {
    const refundId = adoptedRefundId(owner, route.nameElsewhere);
    const id = this.workflowId(refundId);
    const { claim, patience, paymentId = subjectId } = route;
    if (!this.rows.subjects.has(refundId)) {
      const state = observedRefund(claim, paymentId, patience, this.world.clock.now);
      this.rows.insert({ id: refundId, kind: 'refund', ...owner, status: state.status, state, version: 0 });
    }
    const limits = { looksPerRun: 500, recordsTime: true };
    const input = { identity: { ...owner, refundId }, claim, paymentId, patience, ...limits };
    if (!this.server.runs.has(id)) this.server.start(id, 'refundWorkflow', input);
    const event = { type: 'refundNotified', eventType: 'refund' };
    this.server.signal(id, event.type, { id: eventId, event });
  }

  private subjectOf({ paymentId, resourceId }: ToldEvent): string | undefined {
    return this.rows.resources.get(paymentId ?? this.provider.parentOf(resourceId) ?? '');
  }

  private hasEnded(id: string): boolean {
    const { status } = this.row(id);
    const ends = { payment: isTerminal, payout: isPaidOut, subscription: isOver } as const;
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
