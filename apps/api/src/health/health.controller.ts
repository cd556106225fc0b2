import { Controller, Get, Inject, Query } from '@nestjs/common';
import { sql } from 'kysely';
import { z } from 'zod';
import { assertClock } from '#database/commands';
import type { Database } from '#database/connection';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { databaseToken } from '../injected/database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Readiness, Runs } from '#runs';
import { Problem } from '../problems/problem.js';
import { several } from '../wire/filters.js';

const healthAnswer = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
type HealthAnswer = z.output<typeof healthAnswer>;

const readinessQuery = z.strictObject({
  except: several(['database', 'temporal']).default([]).meta({
    description: 'Ready without these, too: the process answers by itself what it cannot do without them.',
  }),
});

const sentences = {
  database: 'The database cannot be reached.',
  temporal: 'The workflow service cannot be reached.',
  clock: 'The clock of this process differs from that of the database.',
} as const;

@Controller()
@WithoutApiKey()
export class HealthController {
  private readonly readiness: Readiness<keyof typeof sentences>;

  constructor(@Inject(databaseToken) db: Database, @Inject(Runs) runs: Runs) {
    this.readiness = new Readiness({
      database: () => sql`select 1`.execute(db),
      temporal: () => runs.assertReachable(),
      clock: () => assertClock(db),
    });
  }

  @Get('healthz')
  @describeOperation({
    id: 'getHealth',
    summary: 'The process is alive',
    tag: 'Health',
    answers: { 200: healthAnswer },
  })
  alive(): HealthAnswer {
    return { status: 'ok' };
  }

  @Get('readyz')
  @describeOperation({
    id: 'getReadiness',
    summary: 'The database and the workflow service can be reached, and the clock is right',
    tag: 'Health',
    answers: { 200: healthAnswer },
    problems: [422, 503],
  })
  async ready(
    @Query({ schema: readinessQuery }) { except }: z.output<typeof readinessQuery>,
  ): Promise<HealthAnswer> {
    const leftOut: readonly string[] = except;
    const missing = (await this.readiness.missing()).filter((part) => !leftOut.includes(part));
    if (missing.length === 0) return { status: 'ok' };
    const detail = missing.map((part) => sentences[part]).join(' ');
    throw new Problem('unavailable', { detail, missing, headers: { 'retry-after': '2' } });
  }
}
