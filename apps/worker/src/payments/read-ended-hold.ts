import type { PaymentsClient } from '#payments-client';
import {
  type Capture,
  type PaymentState,
  type ProviderFacts,
  amountsOf,
  showsWhatIsKnown,
} from '#workflows/lifecycle/payment';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import { confirmedRead } from '../provider/read-again.js';
import { readPaymentFacts } from '../provider/read-payment.js';

/**
 * The captures of an authorization that our call has ended. Another user of the account may have captured a part just
 * before, and the answer to our call does not show it. The payment ends with what is read here, so two answers must agree.
 *
 * @param isAfterCall shows whether a read already shows the effect of the call.
 * @throws {UnreadableAnswerError} if it is not shown yet: then the outcome of the call is looked up.
 */
export async function readEndedHold(
  client: PaymentsClient,
  state: PaymentState,
  isAfterCall: (facts: ProviderFacts) => boolean,
): Promise<ProviderFacts['captures']> {
  const read = async () => {
    // The call was carried out: an error of this read must not be taken for its refusal.
    const facts = await readPaymentFacts(client, state).catch(() => undefined);
    if (!facts || !isAfterCall(facts) || !showsWhatIsKnown(state, facts)) throw new UnreadableAnswerError();
    return facts.captures;
  };
  return await confirmedRead(read);
}

/** Whether a capture ends its authorization before all is captured: another user may have captured some of the rest. */
export function releasesRest(state: PaymentState, { status, final, minor }: Capture): boolean {
  const { authorized, captured } = amountsOf(state);
  return final && status === 'completed' && captured + minor < authorized;
}
