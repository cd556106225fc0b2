import { type Subject, kindOf } from './subject.js';

/** A message to a run. The id makes a repeated delivery harmless: event id, command id, or the payer's return. */
export interface RunMessage<Event extends { readonly type: string } = { readonly type: string }> {
  readonly id: string;
  /** Its type names the signal, so that a history reads like its story. */
  readonly event: Event;
}

/** What it takes to start a run. */
export interface RunStart {
  readonly subject: Subject;
  /** The workflow's type. */
  readonly type: string;
  readonly input: unknown;
  /** For Temporal's UI: no personal data. */
  readonly summary: string;
  readonly orderId?: string;
  readonly intent: string;
}

/** The workflow's id. Ids are never encrypted: no personal datum in them. */
export function workflowIdOf(subject: Subject): string {
  return `${kindOf(subject)}/${subject.environment}/${subject.application}/${subject.id}`;
}
