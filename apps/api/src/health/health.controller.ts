import { Controller, Get, Inject } from '@nestjs/common';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../../libs/database/src/database.js';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { databaseToken } from '../database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Runs } from '../../../../libs/runs/src/runs.js';

const healthAnswer = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
type HealthAnswer = z.output<typeof healthAnswer>;

@Controller()
@WithoutApiKey()
export class HealthController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
  ) {}

  @Get('healthz')
  @describeOperation({ summary: 'The process is alive', tag: 'Health', answers: { 200: healthAnswer } })
  alive(): HealthAnswer {
    return { status: 'ok' };
  }

  @Get('readyz')
  @describeOperation({
    summary: 'Database and workflow service can be reached',
    tag: 'Health',
    answers: { 200: healthAnswer },
    problems: [503],
  })
  async ready(): Promise<HealthAnswer> {
    await Promise.all([sql`select 1`.execute(this.db), this.runs.assertReachable()]);
    return { status: 'ok' };
  }
}
