import type { CommandResult } from '#database/schema';
import type { CommandOutcome, Transition } from '#database/transitions';
import type { LifecycleState } from '#workflows/lifecycle';
import type { CommandRow, NewCommand } from './row-types.js';

/** The rows of commands, of all subjects. */
export class CommandRows {
  private readonly byId = new Map<string, CommandRow>();

  constructor(private readonly changed: (before: CommandRow | undefined, after: CommandRow) => void) {}

  get(id: string): CommandRow | undefined {
    return this.byId.get(id);
  }

  values(): Iterable<CommandRow> {
    return this.byId.values();
  }

  accept(command: NewCommand): void {
    if (!this.byId.has(command.id))
      this.write({ parameters: {}, ...command, status: 'accepted', result: null });
  }

  refuse(id: string, result: CommandResult): void {
    const known = this.byId.get(id);
    if (known?.status === 'accepted') this.write({ ...known, status: 'refused', result });
  }

  /** What its end has left of a command that was about to be carried out. */
  answer<State extends LifecycleState>(
    { subject, state }: Transition<State>,
    { commandId, status, result, isUncalled }: CommandOutcome,
    { status: end }: LifecycleState,
  ): void {
    const known = this.byId.get(commandId);
    if (!known || known.subjectId !== subject.id || !isOpen(known)) return;
    const overtaken = { code: 'not_allowed_in_state', reason: `It has ended ${end}.` };
    const isUnderWay = isOpen({ status }) || (isUncalled === true && end !== state.status);
    this.write({
      ...known,
      status: isUnderWay ? 'refused' : status,
      result: isUnderWay ? overtaken : (result ?? null),
    });
  }

  /** A message may have named any command: only the subject's own, of its order and policies, is made here. */
  upsert(subjectId: string, outcome: CommandOutcome): void {
    const { commandId: id, kind, status, result = null } = outcome;
    const known = this.findNamed(subjectId, outcome);
    if (known && isOpen(known)) this.write({ ...known, status, result });
    else if (isOwn(subjectId, id) && !this.byId.has(id)) {
      this.write({ id, kind, subjectId, status, result, parameters: {} });
    }
  }

  /** What becomes of those that an end finds under way, and says nothing of. */
  leftBy<State extends LifecycleState>({
    records,
    subject,
    state,
    commands = [],
  }: Transition<State>): CommandRow[] {
    const told = new Set(commands.map(({ commandId }) => commandId));
    const fulfilled = records.fulfilledBy(state);
    const result = { code: 'overtaken', reason: state.reason ?? `It has ended ${state.status}.` };
    return [...this.byId.values()]
      .filter(
        ({ id, subjectId, status }) => subjectId === subject.id && status === 'executing' && !told.has(id),
      )
      .map((row) => ({ ...row, status: fulfilled.includes(row.kind) ? 'succeeded' : 'failed', result }));
  }

  /** The row that an outcome is written to, where it is there. */
  findNamed(subjectId: string, { commandId, kind }: CommandOutcome): CommandRow | undefined {
    const known = this.byId.get(commandId);
    if (!known || isOwn(subjectId, commandId)) return known;
    const isMeant = known.subjectId === subjectId && (known.kind === kind || known.kind === 'decide');
    return isMeant ? known : undefined;
  }

  write(row: CommandRow): void {
    const before = this.byId.get(row.id);
    this.byId.set(row.id, row);
    this.changed(before, row);
  }
}

export function isOpen({ status }: Pick<CommandRow, 'status'>): boolean {
  return status === 'accepted' || status === 'executing';
}

function isOwn(subjectId: string, commandId: string): boolean {
  return commandId.startsWith(`${subjectId}:`);
}
