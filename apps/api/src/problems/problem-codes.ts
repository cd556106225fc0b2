import type { ForgeryReason } from '#payments-client/webhooks';
import type { RefusalCode } from '#workflows/lifecycle/payment';
import type { RequestRefusal } from '#workflows/lifecycle/refund';
import { type ProblemKind, problemKinds } from './problem.js';

type LifecycleCode = RefusalCode | Extract<RequestRefusal, { readonly kind: 'conflict' }>['code'];

/** Why a request was refused or declined. The compiler names one that is missing. */
const reasons: Readonly<Record<LifecycleCode, true>> = {
  not_allowed_in_state: true,
  amount_exceeds_capturable: true,
  amount_exceeds_reauthorizable: true,
  reauthorization_too_soon: true,
  provider_refused: true,
  contradicted_by_provider: true,
  cannot_be_verified: true,
  too_early: true,
  nothing_collected: true,
  not_settled: true,
  nothing_refundable: true,
  refundable_amount_unknown: true,
};

/** Why a delivery of a webhook is not authentic. */
const forgeries: Readonly<Record<ForgeryReason, true>> = {
  headers_missing: true,
  algorithm_not_accepted: true,
  certificate_origin_not_trusted: true,
  certificate_not_acceptable: true,
  certificate_not_in_force: true,
  signature_mismatch: true,
};

/** Other reasons. */
const otherReasons = [
  'key_expired',
  'insufficient_scope',
  'another_in_progress',
  'provider_unavailable',
  'decided_undone',
  'duplicate_reference',
  'outcome_not_recorded',
  'version_mismatch',
  'item_not_unclaimed',
  'too_many_endpoints',
  'endpoint_deleted',
  'rate_limit_exceeded',
] as const;

/** Every `code` of a problem: a reason, or the kind of problem where there is no other. */
export const problemCodes: readonly string[] = [
  ...Object.keys(problemKinds).map((kind) => codeOfKind(kind as ProblemKind)),
  ...Object.keys(reasons),
  ...Object.keys(forgeries),
  ...otherReasons,
];

function codeOfKind(kind: ProblemKind): string {
  return kind.replaceAll('-', '_');
}
