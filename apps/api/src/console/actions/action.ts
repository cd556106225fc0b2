import type { Option } from '../html/form.js';
import type { Caller } from '../../auth/api-keys.js';
import type { AnySubject } from '../subjects/console-subjects.js';

/** A field of an action's form, besides the reason. */
export interface ActionField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type: 'text' | 'check' | 'choice' | 'select';
  readonly options?: readonly Option[];
  /** What the field holds at first. */
  readonly usual?: string;
}

/** What was asked for, checked. */
export interface AskedAction {
  /** What it will do, one sentence each. */
  readonly effects: readonly string[];
  /** For the audit trail. */
  readonly detail: string;
  /**
   * Does it, by the service that serves the API's own command.
   *
   * @param key the idempotency key.
   */
  perform(caller: Caller, key: string): Promise<unknown>;
}

export type ReadAction =
  { readonly asked: AskedAction } | { readonly issues: Readonly<Record<string, string>> };

/** Something that an operator can do with a subject. */
export interface ConsoleAction {
  /** The last segment of its address. */
  readonly name: string;
  readonly label: string;
  /** False: it moves nothing, needs no reason, and is not held against the version. */
  readonly isCommand: boolean;
  readonly fields: readonly ActionField[];
  /** What the form says before its fields. */
  readonly introduction?: string | undefined;
  read(entered: Readonly<Record<string, string>>): ReadAction;
}

/** The actions of a kind that its state allows now. */
export type ActionsOf<Kind extends AnySubject['kind']> = (
  row: Extract<AnySubject, { readonly kind: Kind }>['row'],
  now: number,
) => readonly ConsoleAction[];
