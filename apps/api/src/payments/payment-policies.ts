import { isDeepStrictEqual } from 'node:util';
import type { ServedApplication } from '#configuration';
import {
  expiryPolicyDay,
  windowDays,
  type HonourPolicy,
  usualHonourPolicy,
  type PaymentOrder,
  isSale,
  policiesWithoutHold,
} from '#workflows/lifecycle/payment';
import { bodyHash } from '../commands/idempotency.js';
import { type Problem, invalid } from '../problems/problem.js';
import type { PaymentOrderRequest } from './payment-requests.js';

type Policies = Pick<PaymentOrder, 'capturePolicy' | 'honourPolicy' | 'expiryPolicy'>;

/**
 * The policies of a payment: from the order, else from the application's configuration, else the defaults. The payment
 * keeps them when the configuration changes later.
 */
export function policiesOf(request: PaymentOrderRequest, defaults: ServedApplication['policies']): Policies {
  if (isSale(request)) return policiesWithoutHold;
  const { capturePolicy, expiryPolicy } = request;
  const honourPolicy = honourPolicyOf(request, defaults?.honour);
  return {
    capturePolicy: capturePolicy ?? { mode: defaults?.capture ?? 'manual' },
    // The usual one is absent: a history holds the order, and the rows hold it in each state.
    ...(!isDeepStrictEqual(honourPolicy, usualHonourPolicy) && { honourPolicy }),
    expiryPolicy: expiryPolicy ?? { action: defaults?.expiry ?? 'void' },
  };
}

const dayMs = 86_400_000;

/**
 * @returns 422 for a capture instant that is after the end of any authorization that can still be approved, or at which
 *   the expiry policy may have voided it already.
 */
export function problemOfWindow(
  {
    capturePolicy,
    expiryPolicy,
    approvalBy,
  }: Omit<Policies, 'honourPolicy'> & Pick<PaymentOrder, 'approvalBy'>,
  now: number,
): Problem | undefined {
  if (capturePolicy.mode !== 'at') return undefined;
  if (capturePolicy.at > approvalBy + windowDays * dayMs)
    return late(
      `must not be later than ${windowDays} days after the payer’s approval, when the authorization ends`,
    );
  // The payer may approve at once.
  if (expiryPolicy.action === 'void' && capturePolicy.at > now + expiryPolicyDay * dayMs)
    return late(
      `must not be later than ${expiryPolicyDay} days from now: the expiry policy voids the hold ${expiryPolicyDay} days after the payer’s approval`,
    );
  return undefined;
}

function late(detail: string): Problem {
  return invalid({ pointer: '/capturePolicy/at', detail });
}

/** Each half of the policy has its own default. */
function honourPolicyOf(
  { honourPolicy: asked }: PaymentOrderRequest,
  configured: NonNullable<ServedApplication['policies']>['honour'],
): HonourPolicy {
  return {
    action: asked?.action ?? configured?.action ?? usualHonourPolicy.action,
    reauthorize: asked?.reauthorize ?? configured?.reauthorize ?? usualHonourPolicy.reauthorize,
  };
}

/**
 * Hashes the order without the application's configured defaults, so that a repeated order has the same hash even if
 * the configuration has changed in between.
 */
export function orderHash(request: PaymentOrderRequest): string {
  const { capturePolicy = { mode: 'manual' }, expiryPolicy = { action: 'void' } } = request;
  return bodyHash({
    ...request,
    ...(isSale(request) ? policiesWithoutHold : { capturePolicy, expiryPolicy }),
  });
}
