import type { ChosenNotification } from '#database/notifications';
import type { ActionForm } from '../actions/action.js';
import type { HistoryEntry } from '../history/history-entry.js';

/** What was asked for. */
export interface AskedOfNotifications {
  readonly effects: readonly string[];
  readonly detail: string;
  /** The notifications that it is about at present. */
  readonly choose?: () => Promise<readonly ChosenNotification[]>;
  /** @returns what the page says that it has done. */
  readonly perform: (seen: SeenForm) => Promise<string>;
}

/** What an operator has confirmed. */
export interface SeenForm {
  /** The instant of the confirmation. */
  readonly asOf: Date;
  /** The notifications that it has shown, where it was about several. */
  readonly chosen: readonly number[];
}

/** A form that acts on an endpoint or on notifications. */
export interface NotificationForm extends ActionForm<AskedOfNotifications> {
  /** Of the page that the form belongs to. */
  readonly address: string;
  readonly title: string;
  readonly sentence: string;
  readonly environment: string;
  readonly application: string;
  /** In the audit trail. */
  readonly subjectId: string;
  readonly audited: string;
  /** What has happened since a confirmation, so that it is asked for once more. */
  readonly changesSince?: (asOf: Date) => readonly HistoryEntry[];
}
