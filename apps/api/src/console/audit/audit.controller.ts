import { Controller, Get, Inject, Param, Post, Query, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { endConsoleSession, listAudit, listConsoleSessions, recordAudit } from '#database/console';
import type { Database } from '#database/connection';
import { WithoutApiKey } from '../../auth/api-key.guard.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { text } from '../../wire/fields.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { pageOf } from '../../wire/pages.js';
import { ConsoleFilter } from '../console.filter.js';
import { ConsoleGuard, Needs, Visitor } from '../console.guard.js';
import { cursor, readFilter, textsIn } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { auditPage } from './audit-page.js';

const onePage = 50;
const mostSessions = 100;

const auditFilter = z.object({
  user: text(64).optional(),
  action: text(100).optional(),
  subject: z.string().regex(subjectIdPattern, 'must be one of our ids').optional(),
  cursor: cursor.optional(),
});

/** The audit trail, and the open sessions. */
@Controller('console/audit')
@ApiExcludeController()
@WithoutApiKey()
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleFilter)
@Needs('admin')
export class AuditController {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  @Get()
  async list(
    @Visitor() visit: Visit,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const entered = textsIn(query);
    const { filter, issues } = readFilter(auditFilter, entered);
    const page = filter
      ? await pageOf({ cursor: filter.cursor, limit: onePage }, (range) =>
          listAudit(this.db, {
            userName: filter.user,
            action: filter.action,
            subjectId: filter.subject,
            ...range,
          }),
        )
      : { rows: [], hasMore: false };
    const sessions = await listConsoleSessions(this.db, mostSessions);
    void reply.code(filter ? 200 : 422).type('text/html; charset=utf-8');
    return auditPage({ visit, entered, issues, entries: page.rows, hasMore: page.hasMore, sessions });
  }

  @Post('sessions/:id/end')
  async end(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const ended = /^cons_[0-9a-f]{32}$/.test(id) ? await endConsoleSession(this.db, id) : undefined;
    if (!ended) throw new Problem('not-found', { detail: 'The session has ended already.' });
    const { name, role } = visit.operator;
    await recordAudit(this.db, { userName: name, role, action: 'end session', detail: ended.user_name });
    void reply.redirect('/console/audit', 303);
  }
}
