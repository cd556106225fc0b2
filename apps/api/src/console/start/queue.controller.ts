import { Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { listUrgent, urgentKinds, type UrgentPlace } from '#database/console';
import type { Database } from '#database/connection';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { pageOf } from '../../wire/pages.js';
import { ConsoleActions } from '../actions/console-actions.js';
import { ConsolePages } from '../console-pages.js';
import { Visitor } from '../console.guard.js';
import { applicationOptions, namedApplications } from '../html/applications.js';
import { readFilter, textsIn } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { queuePage } from './queue-page.js';
import { holdsWithinMs } from './start-page.js';

const onePage = 50;

const queueFilter = z.object({
  application: z.string().optional(),
  kind: z.enum(urgentKinds).optional(),
  after: z
    .string()
    .transform((text, context): UrgentPlace => {
      // The ends of holds are whole milliseconds, as their index has them.
      const place = /^(?:([01])~(\d{1,15}(?:\.\d{1,10})?)|(2)~(\d{1,15}))~(\w{1,64})$/.exec(text);
      const [, rank, at, id = ''] = (place ?? []).filter((part) => part !== undefined);
      if (subjectIdPattern.test(id)) return { rank: Number(rank), at: Number(at), id };
      context.addIssue({ code: 'custom', message: 'is not a page of this list' });
      return z.NEVER;
    })
    .optional(),
});

/** All that needs a person. */
@ConsolePages('console/queue')
export class QueueController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
    @Inject(ConsoleActions) private readonly actions: ConsoleActions,
  ) {}

  @Get()
  async list(
    @Visitor() visit: Visit,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const entered = textsIn(query);
    const { filter, issues } = readFilter(queueFilter, entered);
    const now = Date.now();
    const owners = namedApplications(this.config, filter?.application);
    const { rows, hasMore } = await pageOf({ cursor: filter?.after, limit: onePage }, async (after, limit) =>
      filter ? await listUrgent(this.db, owners, { holdsWithinMs, limit, kind: filter.kind, after }) : [],
    );
    void reply.code(filter ? 200 : 422).type('text/html; charset=utf-8');
    return queuePage({
      visit,
      applications: applicationOptions(this.config),
      entered,
      issues,
      queue: rows.map((row) => ({ row, actions: this.actions.ofUrgent(row, now) })),
      next: hasMore ? rows.at(-1) : undefined,
      now,
    });
  }
}
