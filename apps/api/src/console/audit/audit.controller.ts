import { Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { endConsoleSession, listAudit, listConsoleSessions, recordAudit } from '#database/console';
import type { Database } from '#database/connection';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { text } from '../../wire/fields.js';
import { endpointIdPattern } from '../../notifications/notification-endpoints.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { ConsolePages } from '../console-pages.js';
import { Needs, Visitor } from '../console.guard.js';
import { findPage } from '../html/filtered-list.js';
import { cursor } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { auditPage } from './audit-page.js';

const mostSessions = 100;

const auditFilter = z.object({
  user: text(64).optional(),
  action: text(100).optional(),
  subject: z
    .union(
      [z.string().regex(subjectIdPattern), z.string().regex(endpointIdPattern)],
      'must be one of our ids',
    )
    .optional(),
  cursor: cursor.optional(),
});

/** The audit trail, and the open sessions. */
@ConsolePages('console/audit')
@Needs('admin')
export class AuditController {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  @Get()
  async list(
    @Visitor() visit: Visit,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const found = await findPage(auditFilter, query, async ({ user, action, subject }, page) =>
      listAudit(this.db, { userName: user, action, subjectId: subject, ...page }),
    );
    const sessions = await listConsoleSessions(this.db, mostSessions);
    void reply.code(found.status).type('text/html; charset=utf-8');
    return auditPage({ visit, found, sessions });
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
