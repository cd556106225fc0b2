import { z } from 'zod';
import type { Dialect } from '../dialect.js';
import { type PlanPreferencesRequest, partialPreferences, spellPreferences } from './plan-preferences.js';

export interface UpdatePlanRequest {
  /** ACTIVE: agreements can be made from it; CREATED plans and INACTIVE ones become it. */
  readonly state?: 'ACTIVE' | 'INACTIVE' | 'DELETED' | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly merchantPreferences?: Partial<PlanPreferencesRequest> | undefined;
}

export const updatePlanRequest = z
  .strictObject({
    state: z.enum(['ACTIVE', 'INACTIVE', 'DELETED']).optional(),
    name: z.string().min(1).max(128).optional(),
    description: z.string().min(1).max(127).optional(),
    merchantPreferences: partialPreferences.optional(),
  })
  .refine((changes) => Object.values(changes).some((change) => change !== undefined), 'changes nothing');

/** A JSON Patch that replaces what changes (provider-facts, "Paths"). */
export function spellPlanChanges(
  dialect: Dialect,
  { merchantPreferences, ...fields }: z.output<typeof updatePlanRequest>,
): readonly object[] {
  const preferences = merchantPreferences && spellPreferences(dialect, merchantPreferences);
  const hasFields = Object.values(fields).some((field) => field !== undefined);
  return [
    ...(preferences ? [{ op: 'replace', path: '/merchant-preferences', value: preferences }] : []),
    ...(hasFields ? [{ op: 'replace', path: '/', value: fields }] : []),
  ];
}

export interface PlanSearch {
  /** `ALL`: every one that is not deleted; the provider's default is CREATED. */
  readonly status?: 'CREATED' | 'ACTIVE' | 'INACTIVE' | 'ALL' | undefined;
  /** From 0. */
  readonly page?: number | undefined;
  /** 1 to 20; default 20. */
  readonly pageSize?: number | undefined;
}

export const planSearch = z
  .strictObject({
    status: z.enum(['CREATED', 'ACTIVE', 'INACTIVE', 'ALL']).optional(),
    page: z.int().min(0).max(100_000).default(0),
    pageSize: z.int().min(1).max(20).default(20),
  })
  .transform(({ status, page, pageSize }) => ({
    status,
    page,
    page_size: pageSize,
    // A page counts nothing unless it is asked to.
    total_required: 'yes',
  }));
