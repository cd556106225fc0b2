import type { Caller } from '../transport/caller.js';
import type { CallOptions, KeyedCallOptions } from '../client-options.js';
import type { Dialect } from '../dialect.js';
import { createPlan, getPlan, listPlans, updatePlan } from '../operations/subscriptions.js';
import { queryOf, toWire } from '../transport/outgoing.js';
import type { ListedPlans, Plan } from '../schemas/plan.js';
import {
  type PlanSearch,
  planSearch,
  spellPlanChanges,
  type UpdatePlanRequest,
  updatePlanRequest,
} from '../schemas/plan-changes.js';
import { type CreatePlanRequest, createPlanRequest, spellPlan } from '../schemas/plan-request.js';

/** One page of a list, newest first. */
export interface PlanPage {
  readonly plans: readonly Plan[];
  /** `page` of the next search; undefined on the last page. */
  readonly nextPage: number | undefined;
  /** False if it lists fewer plans than its total: then it does not prove that a plan is absent. */
  readonly isWhole: boolean;
}

export class Plans {
  readonly #caller: Caller;
  readonly #dialect: Dialect;

  constructor(caller: Caller, dialect: Dialect) {
    this.#caller = caller;
    this.#dialect = dialect;
  }

  /**
   * Creates a billing plan (2.5); it must be ACTIVE before agreements can be created. The request id is not declared
   * here, so it is sent again only if it provably was not carried out; find a lost one by its name in `list`. A
   * superfluous plan moves no money.
   * @throws RejectedError, …: not created; UnknownOutcomeError: perhaps created
   */
  async create(request: CreatePlanRequest, options: KeyedCallOptions): Promise<Plan> {
    const wire = toWire(createPlanRequest, request, { operation: createPlan.name });
    const body = spellPlan(this.#dialect, wire);
    return this.#caller.perform(createPlan, { ...options, body });
  }

  /** A plan, also a deleted one. @throws NotFoundError (`TEMPLATE_ID_INVALID`; perhaps not yet there), … */
  get(id: string, options: CallOptions = {}): Promise<Plan> {
    return this.#caller.perform(getPlan, { ...options, id });
  }

  /** One page of the application's plans, without their definitions and preferences. @throws UnavailableError, … */
  async list(search: PlanSearch = {}, options: CallOptions = {}): Promise<PlanPage> {
    const wire = toWire(planSearch, search, { operation: listPlans.name });
    const listed = await this.#caller.perform(listPlans, { ...options, query: queryOf(wire) });
    const { plans, hasNextLink } = listed;
    // Without links a full page is the only sign of another one.
    const isFollowed = hasNextLink || plans.length >= wire.page_size;
    const nextPage = isFollowed ? wire.page + 1 : undefined;
    return { plans, nextPage, isWhole: isWhole(listed, wire) };
  }

  /**
   * Replaces the named values. If the plan already has them, nothing changes, so the call is repeated after a lost
   * reply. Agreements keep the terms that their payers approved.
   * @throws RejectedError (an impossible transition), NotFoundError, …: unchanged; UnavailableError: perhaps changed,
   *   see `get`
   */
  async update(id: string, request: UpdatePlanRequest, options: CallOptions = {}): Promise<void> {
    const wire = toWire(updatePlanRequest, request, { operation: updatePlan.name });
    const body = spellPlanChanges(this.#dialect, wire);
    return this.#caller.perform(updatePlan, { ...options, id, body });
  }

  /** Makes agreements possible. @throws as `update` */
  activate(id: string, options?: CallOptions): Promise<void> {
    return this.update(id, { state: 'ACTIVE' }, options);
  }
}

function isWhole(
  { plans, isListed, totalItems }: ListedPlans,
  { page, page_size: pageSize }: { readonly page: number; readonly page_size: number },
): boolean {
  if (totalItems === undefined) return isListed;
  return plans.length >= Math.min(pageSize, totalItems - page * pageSize);
}
