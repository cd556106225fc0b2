import type { AuditEntry, SubjectHistory } from '#database/console';
import { withoutEmails } from '#database/text';
import type { Entered, Issues } from '../html/form.js';
import type { Visit } from '../html/layout.js';
import { historyEntries } from '../history/history-entries.js';
import type { HistoryEntry } from '../history/history-entry.js';
import type { AnySubject } from '../subjects/console-subjects.js';
import { addressOf } from '../sentences/words.js';
import { viewSubject } from '../subjects/subject-view.js';
import type { AskedAction, ConsoleAction } from './action.js';
import { actionForm, confirmation, notPossible } from './action-pages.js';
import { askedFor } from './entered.js';
import { type Seen, keyOf, markOf, readMark } from './console-actions.js';

export interface AnsweredPage {
  readonly status: number;
  readonly page: string;
}

/** What a form is compared with: its sender, and the subject with everything that is recorded about it. */
export interface Situation {
  readonly visit: Visit;
  readonly subject: AnySubject;
  readonly seen: Seen;
  readonly history: SubjectHistory;
}

export function formPage(
  situation: Situation,
  action: ConsoleAction,
  {
    status,
    ...form
  }: {
    readonly entered: Entered;
    readonly issues: Issues;
    readonly status: number;
    readonly problem?: string | undefined;
  },
): AnsweredPage {
  const named = action.name === 'decide' ? situation.history.events.map(({ resource }) => resource.id) : [];
  const suggestions = [...new Set(named)].filter((resourceId) => resourceId !== '');
  return { status, page: actionForm({ ...pageOf(situation), action, suggestions, ...form }) };
}

export function confirmPage(
  situation: Situation,
  action: ConsoleAction,
  {
    status,
    entered,
    asked: { effects },
    ...form
  }: {
    readonly entered: Entered;
    readonly asked: AskedAction;
    readonly status: number;
    readonly changes?: readonly HistoryEntry[] | undefined;
  },
): AnsweredPage {
  return {
    status,
    page: confirmation({
      ...pageOf(situation),
      action,
      entered: askedFor(action, entered),
      effects,
      ...form,
    }),
  };
}

export function movedOnPage(
  situation: Situation,
  action: ConsoleAction,
  form: { readonly entered: Entered; readonly asked: AskedAction },
): AnsweredPage {
  return confirmPage(situation, action, {
    ...form,
    status: 409,
    changes: changesSince(situation, form.entered),
  });
}

export function notPossiblePage(situation: Situation, changes: readonly HistoryEntry[]): AnsweredPage {
  return { status: 409, page: notPossible({ ...pageOf(situation), changes }) };
}

function pageOf({ visit, subject, seen }: Situation) {
  const { title, sentence } = viewSubject(subject, Date.now());
  return { visit, address: addressOf(subject.row.id), title, sentence, mark: markOf(seen) };
}

export function changesSince(
  { history, subject, seen: present }: Situation,
  entered: Entered,
): HistoryEntry[] {
  const seen = readMark(entered['seen'] ?? '');
  if (!seen) return [];
  // Of many commands the history has the latest ones only.
  const leftOut = present.commands - history.commands.length;
  const changed: SubjectHistory = {
    ...history,
    timeline: history.timeline.filter(({ version }) => version > seen.version),
    commands: history.commands.slice(Math.max(0, seen.commands - leftOut)),
    attempts: [],
    calls: [],
    events: [],
    notifications: [],
  };
  return historyEntries(changed, subject.row, viewSubject(subject, Date.now()).currency);
}

/**
 * True if nothing has changed since the form was made. If the same form is sent twice at once, the first one has an audit
 * entry already, and no command yet: that entry does not count as a change.
 */
export function isAsSeen(situation: Situation, mark: string): boolean {
  const { seen } = situation;
  return mark === markOf({ ...seen, audited: seen.audited - ownEntries(situation, mark).length });
}

/** True if the operator has sent this form before, and not another form that was made from the same state. */
export function isAsEntered(
  situation: Situation,
  { action, entered }: { readonly action: string; readonly entered: Entered },
): boolean {
  const reason = withoutEmails(entered['reason'] ?? '');
  return ownEntries(situation, entered['seen'] ?? '').some(
    (entry) => entry.action === action && entry.reason === reason,
  );
}

function ownEntries({ history, visit, subject }: Situation, mark: string): readonly AuditEntry[] {
  const key = keyOf(subject.row.id, mark);
  const { name } = visit.operator;
  return history.audit.filter((entry) => entry.idempotency_key === key && entry.user_name === name);
}
