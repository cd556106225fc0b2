import { withTriedLock } from '#database/connection';
import type { AttemptRow } from '#database/schema';
import { listOtherRefunds } from '#database/subjects';
import { NotFoundError } from '#payments-client';
import { type RefundStepInput, type RefundStepOutcome, refundSubject } from '#workflows/contract';
import type { RefundEvent } from '#workflows/lifecycle/refund';
import type { DecidedReview } from '#workflows/lifecycle/step';
import { readTwoClocks } from '../process/two-clocks.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { lookLimit } from '../provider/provider-clients.js';
import { answeredRefund } from '../provider/refund-facts.js';
import type { NamedResource } from '../steps/reviews/decision-result.js';
import { signalCheck } from '../steps/attempts/late-answer.js';
import { refusalOf, verifyStep } from '../steps/reviews/verify-step.js';
import { recordEvent } from '../steps/activities/record-event.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { lookUpRefundRequest } from './look-up-refund-request.js';
import { idsOfOthers, unclearAfter, whyAnother } from './nameless-refund.js';
import type { RefundWork } from './refund-writer.js';

const whyRead =
  'Only the provider can show the result, and it cannot be read, or shows an equal refund without a reference. In that case name this refund as evidence: for `happened` if it is this one, for `did_not_happen` if it is another one. If there are several others, set `isUnverified`, too.';

/**
 * Checks an operator's decision against the provider before it takes effect. Of several decisions that name one refund
 * at the same time, one is checked: no other sees yet whose it will be.
 */
export async function verifyRefundDecision(
  work: RefundWork,
  input: RefundStepInput,
  decided: DecidedReview<string>,
): Promise<RefundStepOutcome> {
  const { environment, application } = input.identity;
  const { resourceId } = decided;
  if (resourceId === undefined) return await verify(work, input, decided);
  const name = `named-refund/${environment}/${application}/${resourceId}`;
  const verified = await withTriedLock(work.context.db, name, () => verify(work, input, decided));
  const isNamedByOther = { refused: 'too_early', reason: namedByOther } as const;
  return verified ?? (await recordEvent(work, input, refusalOf(decided, isNamedByOther)));
}

const namedByOther = 'Another decision names that refund at this moment. Decide again, under a new key.';

async function verify(
  work: RefundWork,
  input: RefundStepInput,
  decided: DecidedReview<string>,
): Promise<RefundStepOutcome> {
  const { context } = work;
  const { identity, state } = input;
  const { paymentId } = state;
  const rows = await listOtherRefunds(context.db, { paymentId, refundId: identity.refundId });
  const others = idsOfOthers(rows);
  const outcome = await verifyStep(work, input, decided, {
    lookUp: (_step, attempts) =>
      lookUpRefundRequest(context, input, attempts, {
        unclearOf: (nameless) => unclearAfter(decided, nameless, others),
      }),
    readNamed: (_step, id, attempts) => readNamedRefund(context, input, id, attempts, others),
    // Nothing would correct a wrong id: the refund of that id is read from then on, and ours is not.
    eventOnWord: () => undefined,
    // If it were undone by the operator's word alone, its amount could be refunded a second time.
    isReadRequired: () => true,
    whyRead,
  });
  // A refund that was made elsewhere, as far as is known, may have waited for this decision.
  for (const { id, status } of rows) {
    if (status !== 'observed') continue;
    const hint = { id: `decided:${decided.commandId}`, eventType: 'REVIEW_DECIDED' };
    await signalCheck(context, refundSubject({ ...identity, refundId: id }), hint);
  }
  return outcome;
}

/**
 * Reads the refund that an operator names. It is accepted only if it is the requested one and has our reference, or
 * nobody's: then the operator says that it is ours.
 *
 * @param others ids of refunds that are known to be another's.
 */
async function readNamedRefund(
  { db, providers }: ActivityContext,
  { identity, state: { claim, openStep } }: RefundStepInput,
  id: string | undefined,
  attempts: readonly AttemptRow[],
  others: readonly string[],
): Promise<NamedResource<RefundEvent>> {
  if (id === undefined || claim.kind !== 'request') return { kind: 'unreadable' };
  // Checked before the read: if the read fails, the operator's word would count one refund twice.
  if (others.includes(id))
    return { kind: 'another', reason: 'That refund is already recorded, as another one.' };
  try {
    const client = providers.for(identity);
    const refund = await client.refunds.get(id, { signal: lookLimit() });
    const reason = whyAnother(refund, claim, attempts, client);
    if (reason !== undefined) return { kind: 'another', reason };
    const horizonAt = openStep?.horizonAt ?? 0;
    // Until then the refund with our reference may still come.
    if (refund.invoiceNumber === undefined && (await readTwoClocks(db)).surely < horizonAt) {
      const until = new Date(horizonAt).toISOString();
      return {
        kind: 'another',
        refused: 'too_early',
        reason: `That refund has no reference, and one with ours may be made until ${until}.`,
      };
    }
    return {
      kind: 'found',
      event: { type: 'refundAnswered', refund: answeredRefund(refund, claim) },
    };
  } catch (error) {
    if (error instanceof NotFoundError)
      return { kind: 'another', reason: 'The provider does not know that refund.' };
    if (isProviderTrouble(error)) return { kind: 'unreadable' };
    throw error;
  }
}
