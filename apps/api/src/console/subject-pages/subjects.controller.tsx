import { Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Child } from 'hono/jsx';
import { readSubjectHistory } from '#database/console';
import { type Database, atOneInstant } from '#database/connection';
import { workflowIdOf } from '#workflows/contract';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { mayAs } from '../../injected/console-user.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { runAddress } from '../../wire/run-address.js';
import { ConsoleActions } from '../actions/console-actions.js';
import { ConsolePages } from '../console-pages.js';
import { Visitor } from '../console.guard.js';
import type { Visit } from '../html/layout.js';
import { addressOf } from '../sentences/words.js';
import { historyEntries } from '../history/history-entries.js';
import { type AnySubject, ConsoleSubjects } from '../subjects/console-subjects.js';
import { subjectPage } from './subject-page.js';
import { pathsOfSubjects } from '../subjects/subject-paths.js';
import { PaymentTables, PayoutTables, RefundTables, SubscriptionTables } from './subject-tables.js';
import { viewSubject } from '../subjects/subject-view.js';

/** The page of a payment, refund, subscription, plan or payout. */
@ConsolePages('console')
export class SubjectsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(ConsoleSubjects) private readonly subjects: ConsoleSubjects,
    @Inject(ConsoleActions) private readonly actions: ConsoleActions,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get(pathsOfSubjects())
  async show(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Query('done') done: unknown,
    @Query('after') after: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const subject = await this.subjects.get(id);
    if (!request.url.startsWith(addressOf(id))) throw new Problem('not-found');
    const now = Date.now();
    const view = viewSubject(subject, now);
    const history = await atOneInstant(this.db, (instant) => readSubjectHistory(instant, subject.row));
    void reply.type('text/html; charset=utf-8');
    return subjectPage({
      visit,
      subject,
      view,
      history: historyEntries(history, subject.row, view.currency),
      drift: history.drift,
      actions: this.actions.of(subject, now),
      temporalUrl: runAddress(workflowIdOf(subject.row), this.config),
      done: typeof done === 'string' ? done : undefined,
      tables: await this.tablesOf(subject, { visit, after }),
    });
  }

  private async tablesOf(
    subject: AnySubject,
    { visit, after }: { readonly visit: Visit; readonly after: unknown },
  ): Promise<Child> {
    switch (subject.kind) {
      case 'payment':
        return <PaymentTables row={subject.row} />;
      case 'refund':
        return (
          <RefundTables paymentId={subject.row.payment_id} providerId={subject.row.provider_refund_id} />
        );
      case 'plan':
        return null;
      case 'subscription': {
        const payments = await this.subjects.paymentsOf(subject.row);
        const { currency } = subject.row.state.order;
        return <SubscriptionTables planId={subject.row.plan_id} payments={payments} currency={currency} />;
      }
      case 'payout': {
        const cursor = typeof after === 'string' && /^\d{1,9}$/.test(after) ? Number(after) : undefined;
        const { rows, hasMore } = await this.subjects.itemsOf(subject.row, cursor);
        const next = hasMore ? rows.at(-1)?.position : undefined;
        const mayAct = mayAs(visit.operator, 'operator');
        return (
          <PayoutTables
            id={subject.row.id}
            items={rows}
            mayAct={mayAct}
            next={next}
            isFirst={cursor === undefined}
          />
        );
      }
    }
  }
}
