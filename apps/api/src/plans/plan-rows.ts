import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type PlanView, findPlan, listPlans } from '#database/subjects';
import type { Caller } from '../auth/api-keys.js';
import { idPattern } from '../commands/ids.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';
import { type Page, pageOf } from '../wire/pages.js';
import type { PlanListQuery } from './plan-requests.js';

type Owner = Pick<Caller, 'environment' | 'application'>;

const planIdPattern = idPattern('plan');

/** The plans of one application, as their rows stand. */
@Injectable()
export class PlanRows {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  /** @throws {Problem} 404, also for the plan of another application. */
  async get(owner: Owner, id: string): Promise<PlanView> {
    const row = await this.find(owner, id);
    if (!row) throw new Problem('not-found', { detail: 'There is no such plan.' });
    return row;
  }

  async find({ environment, application }: Owner, id: string): Promise<PlanView | undefined> {
    return planIdPattern.test(id)
      ? await findPlan(this.db, { environment, application, planId: id })
      : undefined;
  }

  /** One page, newest first, and whether there is another one. */
  async list(owner: Owner, query: PlanListQuery): Promise<Page<PlanView>> {
    const { state: status } = query;
    return await pageOf(query, (page) => listPlans(this.db, { ...owner, ...page, status }));
  }
}
