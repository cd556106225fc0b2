import { Injectable } from '@nestjs/common';
import type { Owner } from '#database/schema';
import { type PlanView, findPlan, listPlans } from '#database/subjects';
import { type PlanStatus, isTerminal } from '#workflows/lifecycle/plan';
import { type Listed, type SubjectQuery, SubjectRows, subjectFilter } from './subject-rows.js';

type Filter = SubjectQuery<PlanStatus>;

@Injectable()
export class PlanRows extends SubjectRows<PlanView, Filter> {
  protected readonly kind = 'plan';

  protected isAtRest({ status }: PlanView): boolean {
    return isTerminal(status);
  }

  protected async read(owner: Owner, id: string): Promise<PlanView | undefined> {
    return await findPlan(this.db, { ...owner, planId: id });
  }

  protected async readPage(list: Listed<Filter>): Promise<PlanView[]> {
    return await listPlans(this.db, subjectFilter(this.kind, list));
  }
}
