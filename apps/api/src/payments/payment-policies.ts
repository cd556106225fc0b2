import type { ProviderApplication } from '#configuration';
import {
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
 * What shall become of a hold: what the order says, else what its application is configured for, else the usual. The
 * payment keeps it, whatever is configured later.
 */
export function policiesOf(
  request: PaymentOrderRequest,
  defaults: ProviderApplication['policies'],
): Policies {
  if (isSale(request)) return policiesWithoutHold;
  const { capturePolicy, expiryPolicy } = request;
  return {
    capturePolicy: capturePolicy ?? { mode: defaults?.capture ?? 'manual' },
    honourPolicy: honourPolicyOf(request, defaults?.honour),
    expiryPolicy: expiryPolicy ?? { action: defaults?.expiry ?? 'void' },
  };
}

const captureWindowMs = windowDays * 86_400_000;

/** @returns 422 for a capture at an instant by which any hold that is still to be approved will have ended. */
export function problemOfWindow(
  { capturePolicy, approvalTimeoutSeconds }: PaymentOrderRequest,
  now: number,
): Problem | undefined {
  if (capturePolicy?.mode !== 'at') return undefined;
  const latest = now + approvalTimeoutSeconds * 1_000 + captureWindowMs;
  if (capturePolicy.at <= latest) return undefined;
  return invalid({
    pointer: '/capturePolicy/at',
    detail: `must not be later than ${windowDays} days after the payer’s approval, when a hold has ended`,
  });
}

/** Each half of it has a default of its own. */
function honourPolicyOf(
  { honourPolicy: asked }: PaymentOrderRequest,
  configured: NonNullable<ProviderApplication['policies']>['honour'],
): HonourPolicy {
  return {
    action: asked?.action ?? configured?.action ?? usualHonourPolicy.action,
    reauthorize: asked?.reauthorize ?? configured?.reauthorize ?? usualHonourPolicy.reauthorize,
  };
}

/**
 * Tells an order from another one. Not by what the application is configured for at that moment: the same order stays
 * the same, whatever happens to the configuration between the two times that it is sent.
 */
export function orderHash(request: PaymentOrderRequest): string {
  const { capturePolicy = { mode: 'manual' }, expiryPolicy = { action: 'void' } } = request;
  return bodyHash({
    ...request,
    ...(isSale(request) ? policiesWithoutHold : { capturePolicy, expiryPolicy }),
  });
}
