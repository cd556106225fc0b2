import { type Authorization, type Capture, type Payment, PaymentsError } from '#payments-client';
import { InvalidAmountError, parseMoney } from '#workflows/lifecycle';
import type {
  CaptureStatus,
  EndedHold,
  PaymentState,
  ProviderFacts,
  Sale,
  PaymentEvent,
} from '#workflows/lifecycle/payment';

type KnownHold = PaymentState['authorization'];

/**
 * Reduces the provider's answers to the facts that the lifecycle uses.
 *
 * Each function takes the currency of the order, and throws UnreadableAnswerError for an amount in another one: the
 * lifecycle counts minor units, and 100 of them are not the same money everywhere.
 */

/** @param known the hold on record: an answer may leave out when it was made. */
export function factsOf(payment: Payment, currency: string, known?: KnownHold): ProviderFacts {
  const authorization = authorizationIn(payment);
  const sale = saleIn(payment, currency);
  return {
    paymentState: payment.state,
    ...(payment.payerId !== undefined && { payerId: payment.payerId }),
    ...(authorization && {
      authorization: {
        ...holdOf(authorization, currency, known),
        state: authorization.state,
        ...(authorization.updateTime !== undefined && { changedAt: Date.parse(authorization.updateTime) }),
      },
    }),
    ...(sale && { sale }),
    captures: capturesIn(payment).map((capture) => ({
      ...captureOf(capture, currency),
      ...(capture.invoiceNumber !== undefined && { reference: capture.invoiceNumber }),
    })),
  };
}

/**
 * The event that follows from the answer to the creation or execution of a payment with intent `authorize`.
 *
 * @param paymentId ours: a worker that lost its task may have made captures, which their steps will find.
 * @throws {UnreadableAnswerError} if the answer shows neither an authorization, nor that approval is needed, nor a
 *   refusal.
 */
export function eventOfPayment(payment: Payment, currency: string, paymentId: string): PaymentEvent {
  const authorization = authorizationIn(payment);
  const isOurs = ({ invoiceNumber }: Capture) => invoiceNumber?.startsWith(`${paymentId}-`) === true;
  const facts = (captures: readonly Capture[]) => captures.map((capture) => captureOf(capture, currency));
  if (authorization && isHeld(authorization)) {
    const hold = holdOf(authorization, currency);
    const byOthers = facts(capturesIn(payment).filter((capture) => !isOurs(capture)));
    // A window that ends before it begins is none: our deadlines would end the hold at once.
    if (hold.validUntil > hold.createdAt)
      return {
        type: 'authorizationGranted',
        providerPaymentId: payment.id,
        authorization: hold,
        ...(byOthers.length > 0 && { captures: byOthers }),
      };
  }
  const endState = authorization && endOf(authorization.state);
  if (endState) {
    return {
      type: 'authorizationGranted',
      providerPaymentId: payment.id,
      authorization: holdOf(authorization, currency),
      ended: { state: endState, captures: facts(capturesIn(payment)) },
    };
  }
  if (payment.state === 'failed' || authorization?.state === 'denied') {
    return declinedByProvider(payment);
  }
  return askedForApproval(payment);
}

export function declinedByProvider({ failureReason }: Payment): PaymentEvent {
  return {
    type: 'stepDeclined',
    reason: `The provider declined the payment (${codeIn(failureReason) ?? 'no reason given'}).`,
  };
}

/** @throws {UnreadableAnswerError} if the answer has no approval address. */
export function askedForApproval(payment: Payment): PaymentEvent {
  if (payment.approvalUrl === undefined || !URL.canParse(payment.approvalUrl))
    throw new UnreadableAnswerError();
  const approvalToken = new URL(payment.approvalUrl).searchParams.get('token');
  return {
    type: 'paymentCreated',
    providerPaymentId: payment.id,
    approvalUrl: payment.approvalUrl,
    ...(approvalToken !== null && { approvalToken }),
  };
}

/**
 * The event that follows from the answer to a reauthorization.
 *
 * @param former the authorization so far; the provider may keep its id.
 * @throws {UnreadableAnswerError} if the answer does not show that funds are held, or since when.
 */
export function reauthorizationOf(
  reauthorized: Authorization,
  former: NonNullable<KnownHold>,
  currency: string,
): PaymentEvent {
  if (reauthorized.state !== 'authorized' && reauthorized.state !== 'partially_captured')
    throw new UnreadableAnswerError();
  const instant =
    reauthorized.id === former.authorizationId ? reauthorized.updateTime : reauthorized.createTime;
  const heldAt = Date.parse(instant ?? '') || Date.now();
  return { type: 'authorizationRenewed', authorization: holdOf(reauthorized, currency, former), heldAt };
}

/** The call was answered with success, but the answer does not show the outcome: it must be looked up. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
}

/** True if the provider does not answer or answers nonsense: the read is repeated. False for a bug of ours. */
export function isProviderTrouble(error: unknown): boolean {
  return (
    error instanceof PaymentsError ||
    error instanceof UnreadableAnswerError ||
    error instanceof InvalidAmountError ||
    // The time limit of a lookup, or the end of this worker: the client rejects with the signal's reason.
    (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
  );
}

export function captureOf(capture: Capture, currency: string) {
  return {
    captureId: capture.id,
    minor: minorOf(capture.amount, currency),
    status: captureStatus(capture.state),
    final: capture.isFinalCapture ?? false,
    ...(capture.authorizationId !== undefined && { authorizationId: capture.authorizationId }),
  };
}

/** The sale of a payment with intent `sale`. @throws {UnreadableAnswerError} for another currency. */
export function saleIn(payment: Payment, currency: string): Sale | undefined {
  const sale = payment.transactions[0]?.sales.at(-1);
  if (!sale) return undefined;
  return { saleId: sale.id, minor: minorOf(sale.amount, currency), status: captureStatus(sale.state) };
}

/**
 * Only a code is kept: a free text may name the payer, and this one is stored, logged and shown to the order service.
 */
function codeIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Z][A-Z0-9_]{0,63}$/.test(text) ? text : undefined;
}

/** The current authorization: after a reauthorization the replaced one is also shown, as voided. */
function authorizationIn(payment: Payment): Authorization | undefined {
  const authorizations = payment.transactions[0]?.authorizations ?? [];
  return authorizations.findLast(isHeld) ?? authorizations.at(-1);
}

/**
 * When a capture has last changed the hold: by being made, completed or denied. A refund changes only the capture; it
 * hides when one that was not completed before was completed. Undefined without a dated one; one that is neither known
 * nor dated may have changed it at any time.
 */
export function capturesChangedAt(
  payment: Pick<Payment, 'transactions'>,
  known: readonly { readonly captureId: string; readonly status: CaptureStatus }[],
): number | undefined {
  const instants = capturesIn(payment).map(({ id, state, createTime, updateTime }) => {
    const before = known.find(({ captureId }) => captureId === id);
    const isRefunded = state === 'partially_refunded' || state === 'refunded';
    const madeAt = before?.status === 'completed' && isRefunded ? createTime : undefined;
    const instant = Date.parse(madeAt ?? updateTime ?? createTime ?? '');
    return Number.isNaN(instant) && !before ? Infinity : instant;
  });
  const dated = instants.filter((instant) => !Number.isNaN(instant));
  return dated.length > 0 ? Math.max(...dated) : undefined;
}

function capturesIn(payment: Pick<Payment, 'transactions'>): readonly Capture[] {
  return payment.transactions[0]?.captures ?? [];
}

function isHeld({ state }: Pick<Authorization, 'state'>): boolean {
  return state === 'authorized' || state === 'partially_captured' || state === 'captured';
}

/** End states of an authorization: nothing can be captured or voided any more. */
export function isClosed(state: string | undefined): boolean {
  return state === 'voided' || state === 'expired' || state === 'denied' || state === 'captured';
}

/** The authorization was granted and has ended. */
function endOf(state: string): EndedHold['state'] | undefined {
  return state === 'voided' || state === 'expired' ? state : undefined;
}

function holdOf(authorization: Authorization, currency: string, known?: KnownHold) {
  const createdAt = createdAtOf(authorization, known);
  return {
    authorizationId: authorization.id,
    minor: minorOf(authorization.amount, currency),
    createdAt,
    // Absent once voided or expired; then no deadline depends on it.
    validUntil: Date.parse(authorization.validUntil ?? '') || createdAt,
  };
}

/**
 * Honour period and window count from this instant, and the hold may be found days later: it is read again.
 *
 * @throws {UnreadableAnswerError} if it is held and no answer has shown when it was made.
 */
function createdAtOf({ id, createTime, ...hold }: Authorization, known: KnownHold): number {
  const shown = Date.parse(createTime ?? '');
  if (shown) return shown;
  if (id === known?.authorizationId) return known.createdAt;
  if (isHeld(hold)) throw new UnreadableAnswerError();
  // No deadline depends on it; and no read of it differs from the next one, or passes for the successor of a hold.
  return 0;
}

function minorOf(amount: Authorization['amount'], currency: string): number {
  if (amount.currency !== currency) throw new UnreadableAnswerError();
  return parseMoney(amount.value, currency).minor;
}

/** A refunded capture or sale was completed. An unknown state is not final. */
function captureStatus(state: string): CaptureStatus {
  switch (state) {
    case 'completed':
    case 'partially_refunded':
    case 'refunded':
      return 'completed';
    case 'denied':
      return 'denied';
    default:
      return 'pending';
  }
}
