import type { Option } from '../html/form.js';
import type { Caller } from '../../auth/api-keys.js';
import type { AnySubject } from '../subjects/console-subjects.js';

/** A field of an action's form, besides the reason. */
export interface ActionField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type: 'text' | 'check' | 'choice' | 'select' | 'time';
  readonly options?: readonly Option[];
  /** What the field holds at first. */
  readonly usual?: string;
}

/** What will be done. */
interface Announced {
  /** One sentence each. */
  readonly effects: readonly string[];
  /** For the audit trail. */
  readonly detail: string;
}

/** What was asked for, checked. */
export interface AskedAction extends Announced {
  /**
   * Does it, by the service that serves the API's own command.
   *
   * @param key the idempotency key.
   */
  perform(caller: Caller, key: string): Promise<unknown>;
}

export type Read<Asked> = { readonly asked: Asked } | { readonly issues: Readonly<Record<string, string>> };
export type ReadAction = Read<AskedAction>;

/** Something that an operator can do, and its form. */
export interface ActionForm<Asked extends Announced = Announced> {
  /** The last segment of its address. */
  readonly name: string;
  readonly label: string;
  readonly fields: readonly ActionField[];
  /** What the form says before its fields. */
  readonly introduction?: string | undefined;
  read(entered: Readonly<Record<string, string>>): Read<Asked>;
}

/** Something that an operator can do with a subject. */
export type ConsoleAction = ActionForm<AskedAction>;

type RowOf<Kind extends AnySubject['kind']> = Extract<AnySubject, { readonly kind: Kind }>['row'];

/** What the actions of a subject depend on: its state, and what its other rows add. Absent parts offer nothing. */
export type ActedRow<Kind extends AnySubject['kind'], Part extends keyof RowOf<Kind> = never> = Pick<
  RowOf<Kind>,
  'id' | 'state'
> &
  Partial<Pick<RowOf<Kind>, Part>>;

/** The actions of a kind that its state allows now. */
export type ActionsOf<Row> = (row: Row, now: number) => readonly ConsoleAction[];
