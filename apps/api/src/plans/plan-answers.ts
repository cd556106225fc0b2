import { z } from 'zod';
import type { PlanView } from '#database/subjects';
import { type PlanPhase, type PlanTerms, frequencies, planStatuses } from '#workflows/lifecycle/plan';
import { planSubject, workflowIdOf } from '#workflows/contract';
import type { ApiConfig } from '../injected/api-config.js';
import {
  commonActions,
  shownActions,
  shownLinks,
  toAsk,
  toCheck,
  toRead,
  subjectAddress,
} from '../wire/links.js';
import { shownPendingOperation, viewPendingOperation } from '../wire/pending-operation.js';
import { runAddress } from '../wire/run-address.js';
import { planStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import { showMoney, shownMoney } from '../wire/wire-money.js';
import { shownInstant, shownVersion } from '../wire/fields.js';

const shownPhase = z
  .object({
    name: z.string(),
    frequency: z.enum(frequencies),
    interval: z.int(),
    cycles: z.int().meta({ description: '0: unlimited.' }),
    amount: shownMoney,
    shipping: shownMoney.nullable(),
    tax: shownMoney.nullable(),
  })
  .meta({ id: 'PlanPhase' });

const planActions = ['subscribe', 'deactivate'] as const;

export const planAnswer = z
  .object({
    id: z.string().meta({ examples: ['plan_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
    state: shownState(planStatuses, planStates),
    version: shownVersion,
    name: z.string(),
    description: z.string(),
    currency: z.string(),
    regular: shownPhase.nullable(),
    trial: shownPhase.nullable(),
    setupFee: shownMoney.nullable(),
    setupFeeFailure: z.enum(['continue', 'cancel']),
    autoBillsOutstanding: z.boolean(),
    maxFailedPayments: z.int(),
    reason: z.string().nullable().meta({ description: 'Why the plan is in its state.' }),
    pendingOperation: shownPendingOperation.nullable(),
    allowedActions: shownActions(planActions),
    links: shownLinks,
    temporalUrl: z.string().nullable().meta({ description: 'The plan’s run in Temporal’s UI.' }),
    createdAt: shownInstant,
    updatedAt: shownInstant,
  })
  .meta({ id: 'Plan' });
export type PlanAnswer = z.output<typeof planAnswer>;

/** A plan as the order service sees it, built from its row only. */
export function viewPlan(row: PlanView, config: Pick<ApiConfig, 'temporal' | 'publicUrl'>): PlanAnswer {
  const self = subjectAddress('plan', row.id, config);
  const { terms } = row.state.order;
  const { name, description, currency, setupFeeMinor, setupFeeFailure } = terms;
  return {
    id: row.id,
    state: row.status,
    version: row.shown_version,
    name,
    description,
    currency,
    regular: phaseIn(terms, 'REGULAR'),
    trial: phaseIn(terms, 'TRIAL'),
    setupFee: setupFeeMinor > 0 ? showMoney(setupFeeMinor, currency) : null,
    setupFeeFailure,
    autoBillsOutstanding: terms.autoBillsOutstanding,
    maxFailedPayments: terms.maxFailedPayments,
    reason: row.state.reason ?? null,
    pendingOperation: viewPendingOperation(row.state),
    allowedActions: allowedActionsOf(row),
    links: [
      toRead('self', self),
      ...toCheck(row, self),
      ...(row.status === 'active'
        ? [
            toAsk('subscribe', `${config.publicUrl}/v1/subscriptions`),
            toAsk('deactivate', `${self}/deactivate`),
          ]
        : []),
    ],
    temporalUrl: runAddress(workflowIdOf(planSubject({ ...row, planId: row.id })), config),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Only an active plan takes subscriptions, and can be deactivated. */
export function allowedActionsOf(row: Pick<PlanView, 'status' | 'state'>): PlanAnswer['allowedActions'] {
  return [...(row.status === 'active' ? planActions : []), ...commonActions(row)];
}

function phaseIn({ phases, currency }: PlanTerms, type: PlanPhase['type']): PlanAnswer['regular'] {
  const phase = phases.find((one) => one.type === type);
  if (!phase) return null;
  const { name, frequency, interval, cycles, minor, shippingMinor, taxMinor } = phase;
  return {
    name,
    frequency,
    interval,
    cycles,
    amount: showMoney(minor, currency),
    shipping: shippingMinor === undefined ? null : showMoney(shippingMinor, currency),
    tax: taxMinor === undefined ? null : showMoney(taxMinor, currency),
  };
}
