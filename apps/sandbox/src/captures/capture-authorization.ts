import { z } from 'zod';
import { lockAuthorization, saveChange } from '../authorizations/authorization-rows.js';
import { capture, openMinor } from '../authorizations/held-money.js';
import { bookCapture, bookRelease } from '../books/payment-movements.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { AuthorizationRow, CaptureRow } from '../database/tables.js';
import { ApiError, type ErrorName } from '../http/api-error.js';
import { newResourceId } from '../http/identifiers.js';
import { withoutNulls } from '../http/without-nulls.js';
import { writeAmount } from '../money/amount.js';
import { amountSchema } from '../money/amount-schema.js';
import type { Answer } from '../server/idempotency.js';
import { decideCompletion, type Completion } from '../completion/completion.js';
import { isLostAfterHonour } from './after-honour.js';
import { describeCapture } from './capture-representation.js';
import { recordCaptureEvent } from './capture-events.js';

/** When a client sends back a capture that it has read, only these fields count. */
export const captureRequest = z.preprocess(
  withoutNulls,
  z.object({
    amount: amountSchema,
    is_final_capture: z.boolean().default(false),
    invoice_number: z.string().max(127).optional(),
    note_to_payer: z.string().max(255).optional(),
  }),
);

type CaptureRequest = z.output<typeof captureRequest>;

/** Captures part or all of an authorization; the final capture releases the rest. */
export async function captureAuthorization(
  context: SandboxContext,
  unit: UnitOfWork,
  authorizationId: string,
  request: CaptureRequest,
): Promise<Answer> {
  const { transaction, now, application } = unit;
  const locked = await lockAuthorization(transaction, authorizationId, application.clientId);
  if (locked === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  const { authorization, payment } = locked;
  refuseOtherCurrency(request, authorization);

  if (unit.fault?.kind === 'decline') throw new ApiError('INSTRUMENT_DECLINED');
  const { captureOutcome, captureSettleMs } = application.settings;
  const completion = decideCompletion(captureOutcome, captureSettleMs, unit.fault, now);
  const isPending = completion.state === 'pending';
  const terms = { minor: request.amount.minor, isFinal: request.is_final_capture, isPending };
  const change = capture(authorization, terms, now);
  if ('refusal' in change) throw refusalOf(change.refusal, authorization);
  if (await isLostAfterHonour(unit, authorization, payment)) throw new ApiError('INSTRUMENT_DECLINED');

  await saveChange(transaction, authorization.id, change, now);
  const captured = await insertCapture(unit, authorization, request, completion);
  if (!isPending) await bookCapture(unit, payment, captured);
  await bookRelease(unit, payment, authorization.id, change.releasedMinor);
  await recordCaptureEvent(transaction, captured, completion.state, context.links, now);
  return { status: 201, body: describeCapture(captured, context.links) };
}

function refuseOtherCurrency({ amount }: CaptureRequest, { currency }: AuthorizationRow): void {
  if (amount.currency === currency) return;
  throw new ApiError('CURRENCY_MISMATCH', [
    { field: 'amount.currency', issue: `The authorization is in ${currency}` },
  ]);
}

/** Says how much is left when the amount is the problem. */
function refusalOf(refusal: ErrorName, authorization: AuthorizationRow): ApiError {
  if (refusal !== 'CAPTURE_AMOUNT_LIMIT_EXCEEDED') return new ApiError(refusal);
  const { currency } = authorization;
  const issue = `${writeAmount(openMinor(authorization), currency)} ${currency} can still be captured`;
  return new ApiError(refusal, [{ field: 'amount.total', issue }]);
}

function insertCapture(
  unit: UnitOfWork,
  authorization: AuthorizationRow,
  request: CaptureRequest,
  completion: Completion,
): Promise<CaptureRow> {
  return unit.transaction
    .insertInto('captures')
    .values({
      id: newResourceId(),
      client_id: authorization.client_id,
      payment_id: authorization.payment_id,
      authorization_id: authorization.id,
      amount_minor: request.amount.minor,
      currency: request.amount.currency,
      is_final: request.is_final_capture,
      invoice_number: request.invoice_number ?? null,
      note_to_payer: request.note_to_payer ?? null,
      request_id: unit.requestId,
      ...completion,
      created_at: unit.now,
      updated_at: unit.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
