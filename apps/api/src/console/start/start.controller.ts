import { Get, Inject, Query, Res } from '@nestjs/common';
import { Client } from '@temporalio/client';
import type { FastifyReply } from 'fastify';
import {
  type Match,
  countUrgent,
  findById,
  listRecentCalls,
  listUrgent,
  readPulses,
} from '#database/console';
import { type Database, atOneInstant } from '#database/connection';
import type { Owner } from '#database/schema';
import { callWithin, type SeenWorker, seenWorkers } from '#runs';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { ConsoleActions } from '../actions/console-actions.js';
import { ConsolePages } from '../console-pages.js';
import { Visitor } from '../console.guard.js';
import type { Visit } from '../html/layout.js';
import { pageOf, searchPage } from './search-page.js';
import { healthOf } from './provider-health.js';
import { holdsWithinMs, mostCounted, startPage } from './start-page.js';

const mostUrgent = 50;
const temporalWithinMs = 1_000;
const hourMs = 3_600_000;
/** However many calls there are, the page is quick: on a busy engine these are the last minutes. */
const mostCalls = 2_000;

/** The first screen, and the search for any id. */
@ConsolePages('console')
export class StartController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
    @Inject(ConsoleActions) private readonly actions: ConsoleActions,
    @Inject(Client) private readonly temporal: Client,
  ) {}

  @Get()
  async start(@Visitor() visit: Visit, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { applications } = this.config;
    const to = new Date();
    const from = new Date(to.getTime() - hourMs);
    const seen = this.workers();
    const { calls, pulses, urgent, counters } = await atOneInstant(this.db, async (instant) => ({
      counters: await countUrgent(instant, applications, { holdsWithinMs, mostHolds: mostCounted + 1 }),
      urgent: await listUrgent(instant, applications, { holdsWithinMs, limit: mostUrgent + 1 }),
      pulses: await readPulses(instant, applications),
      calls: await listRecentCalls(instant, applications, { since: from, limit: mostCalls }),
    }));
    const lives = pulses.map((pulse) => {
      const own = calls.filter((call) => isSameOwner(call, pulse));
      return { ...pulse, health: healthOf(own, { from, to, steps: 12 }) };
    });
    void reply.type('text/html; charset=utf-8');
    const now = to.getTime();
    const queue = urgent
      .slice(0, mostUrgent)
      .map((row) => ({ row, actions: this.actions.ofUrgent(row, now) }));
    const hasMore = urgent.length > mostUrgent;
    return startPage({ visit, counters, queue, hasMore, workers: await seen, lives, now });
  }

  /** Undefined if Temporal does not answer in time: the page comes all the same, and says so. */
  private async workers(): Promise<readonly SeenWorker[] | undefined> {
    const { taskQueue } = this.config.temporal;
    try {
      return await callWithin(this.temporal, temporalWithinMs, () => seenWorkers(this.temporal, taskQueue));
    } catch {
      return undefined;
    }
  }

  @Get('search')
  async search(
    @Visitor() visit: Visit,
    @Query('id') id: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const searched = typeof id === 'string' ? id.trim().slice(0, 255) : '';
    // PostgreSQL compares no text with a NUL or a lone surrogate.
    const isPlain = searched !== '' && searched.isWellFormed() && !searched.includes('\0');
    const matches = isPlain ? await findById(this.db, this.config.applications, searched) : [];
    const pages = [...new Map(withoutCallsOf(matches).map((match) => [pageOf(match), match])).values()];
    const [only, ...others] = pages;
    if (only && others.length === 0) {
      void reply.redirect(pageOf(only), 303);
      return undefined;
    }
    void reply.type('text/html; charset=utf-8');
    return searchPage({ visit, searched, matches: pages });
  }
}

/** Leaves out the calls of a subject that was found itself: a user who enters the id of a capture wants its payment. */
function withoutCallsOf(matches: readonly Match[]): Match[] {
  const found = new Set(matches.filter(({ call_id: call }) => call === null).map(({ subject_id: id }) => id));
  return matches.filter(({ call_id: call, subject_id: id }) => call === null || !found.has(id));
}

function isSameOwner(one: Owner, other: Owner): boolean {
  return one.environment === other.environment && one.application === other.application;
}
