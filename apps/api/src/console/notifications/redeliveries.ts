import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { recordAudit } from '#database/console';
import { readClock } from '#database/commands';
import { announceChange, type Database } from '#database/connection';
import { withoutEmails } from '#database/text';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { actionForm, confirmation } from '../actions/action-pages.js';
import { askedFor, readEntered } from '../actions/entered.js';
import { by } from '../actions/requester.js';
import type { Entered, Issues } from '../html/form.js';
import type { Visit } from '../html/layout.js';
import type { Redelivery } from './redelivery.js';

interface Asked {
  readonly visit: Visit;
  readonly redelivery: Redelivery;
  readonly entered: Entered;
  readonly reply: FastifyReply;
}

/**
 * Takes the forms that deliver notifications again. Each is in the audit trail before it is done. A form holds the
 * instant of its confirmation: what has ended since is left alone, so a form that is sent twice delivers once.
 */
@Injectable()
export class Redeliveries {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  form({ visit, redelivery, entered, reply }: Asked): string {
    return this.asForm({ visit, redelivery, entered, reply }, {});
  }

  async confirm(asked: Asked): Promise<string> {
    const { visit, redelivery, entered, reply } = asked;
    const read = await readEntered(redelivery, entered);
    if ('issues' in read) return this.asForm(asked, read.issues);
    const { effects, preview } = read.asked;
    const mark = (await readClock(this.db)).toISOString();
    void reply.type('text/html; charset=utf-8');
    return confirmation({
      ...pageOf({ visit, redelivery }),
      entered: askedFor(redelivery, entered),
      mark,
      effects: [...effects, ...(preview ? [await preview()] : [])],
    });
  }

  /** @returns undefined if it was done: the reply leads to the page. */
  async perform(asked: Asked): Promise<string | undefined> {
    const { visit, redelivery, entered, reply } = asked;
    const asOf = new Date(entered['seen'] ?? '');
    if (Number.isNaN(asOf.getTime()))
      throw new Problem('malformed-request', { detail: 'The form has no instant.' });
    const read = await readEntered(redelivery, entered);
    if ('issues' in read) return this.asForm(asked, read.issues);
    const { environment, application, subjectId, address } = redelivery;
    await recordAudit(this.db, {
      ...by(visit.operator),
      action: 'resend notification',
      environment,
      application,
      subjectId,
      reason: withoutEmails(entered['reason'] ?? ''),
      detail: read.asked.detail,
    });
    const done = await read.asked.deliver(asOf);
    await announceChange(this.db, subjectId);
    void reply.redirect(`${address}?done=${done}`, 303);
    return undefined;
  }

  private asForm({ visit, redelivery, entered, reply }: Asked, issues: Issues): string {
    void reply.code(Object.keys(issues).length > 0 ? 422 : 200).type('text/html; charset=utf-8');
    return actionForm({ ...pageOf({ visit, redelivery }), entered, issues, mark: '', suggestions: [] });
  }
}

function pageOf({ visit, redelivery }: Pick<Asked, 'visit' | 'redelivery'>) {
  const { address, title, sentence } = redelivery;
  return { visit, address, title, sentence, action: redelivery };
}
