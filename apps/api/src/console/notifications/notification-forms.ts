import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { recordAudit } from '#database/console';
import { readClock } from '#database/commands';
import { announceChange, type Database } from '#database/connection';
import type { ChosenNotification } from '#database/notifications';
import { withoutEmails } from '#database/text';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { actionForm, confirmation } from '../actions/action-pages.js';
import { askedFor, readEntered } from '../actions/entered.js';
import { by } from '../actions/requester.js';
import type { HistoryEntry } from '../history/history-entry.js';
import type { Entered, Issues } from '../html/form.js';
import type { Visit } from '../html/layout.js';
import { ChosenNotifications } from './chosen-notifications.js';
import type { NotificationForm } from './notification-form.js';

interface Asked {
  readonly visit: Visit;
  readonly form: NotificationForm;
  readonly entered: Entered;
  readonly reply: FastifyReply;
}

/**
 * Takes the forms that act on endpoints and notifications. Each is in the audit trail before it is done. A form holds the
 * instant of its confirmation: what has ended since is left alone, so a form that is sent twice acts once.
 */
@Injectable()
export class NotificationForms {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  show(asked: Asked): string {
    return this.asForm(asked, {});
  }

  async confirm(asked: Asked, changes?: readonly HistoryEntry[]): Promise<string> {
    const { visit, form, entered, reply } = asked;
    const read = await readEntered(form, entered);
    if ('issues' in read) return this.asForm(asked, read.issues);
    const { effects, choose } = read.asked;
    const mark = (await readClock(this.db)).toISOString();
    void reply.type('text/html; charset=utf-8');
    return confirmation({
      ...pageOf({ visit, form }),
      entered: askedFor(form, entered),
      mark,
      effects,
      selection: selectionOf(await choose?.()),
      changes,
    });
  }

  /** @returns undefined if it was done: the reply leads to the page. */
  async perform(asked: Asked): Promise<string | undefined> {
    const { visit, form, entered, reply } = asked;
    const asOf = new Date(entered['seen'] ?? '');
    if (Number.isNaN(asOf.getTime()))
      throw new Problem('malformed-request', { detail: 'The form has no instant.' });
    const read = await readEntered(form, entered);
    if ('issues' in read) return this.asForm(asked, read.issues);
    const chosen = read.asked.choose ? chosenIn(entered) : [];
    const changes = form.changesSince?.(asOf) ?? [];
    if (changes.length > 0) return await this.confirm(asked, changes);
    const { environment, application, subjectId, address, audited: action } = form;
    await recordAudit(this.db, {
      ...by(visit.operator),
      action,
      environment,
      application,
      subjectId,
      reason: withoutEmails(entered['reason'] ?? ''),
      detail: read.asked.detail,
    });
    const done = await read.asked.perform({ asOf, chosen });
    await announceChange(this.db, subjectId);
    void reply.redirect(`${address}?done=${done}`, 303);
    return undefined;
  }

  private asForm({ visit, form, entered, reply }: Asked, issues: Issues): string {
    void reply.code(Object.keys(issues).length > 0 ? 422 : 200).type('text/html; charset=utf-8');
    return actionForm({ ...pageOf({ visit, form }), entered, issues, mark: '', suggestions: [] });
  }
}

/** In the form, so that only these are acted on. */
function selectionOf(chosen: readonly ChosenNotification[] | undefined) {
  return (
    chosen && {
      values: { chosen: chosen.map(({ sequence }) => sequence).join(',') },
      isEmpty: chosen.length === 0,
      list: ChosenNotifications({ chosen }),
    }
  );
}

/** @throws {Problem} 400 for what no form has. */
function chosenIn({ chosen = '' }: Entered): number[] {
  if (/^\d{1,15}(?:,\d{1,15}){0,999}$/.test(chosen)) return chosen.split(',').map(Number);
  throw new Problem('malformed-request', { detail: 'The form names no notifications.' });
}

function pageOf({ visit, form }: Pick<Asked, 'visit' | 'form'>) {
  const { address, title, sentence } = form;
  return { visit, address, title, sentence, action: form };
}
