import { sql } from 'kysely';
import { isTerminal, paymentStatuses } from '#workflows/lifecycle/payment';

/** The statuses that a payment does not leave, in the words and the order of the partial indexes of open payments. */
export const endedStatuses = sql.join(paymentStatuses.filter(isTerminal).map((status) => sql.lit(status)));
