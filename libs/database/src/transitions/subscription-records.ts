import { type RawBuilder, sql } from 'kysely';
import {
  isAlreadyKnown,
  type SubscriptionState,
  isTerminal,
  subscriptionStatuses,
  withNewerBilling,
} from '#workflows/lifecycle/subscription';
import { subscriptionNews } from '../notifications/subscription-news.js';
import type { SubjectRecords } from './transition.js';

export const subscriptionRecords: SubjectRecords<SubscriptionState> = {
  table: 'subscriptions',
  ends: subscriptionStatuses.filter(isTerminal),
  resourcesOf: ({ agreementId }) =>
    agreementId === undefined ? [] : [{ id: agreementId, kind: 'agreement' }],
  isAlreadyKnown,
  newsOf: subscriptionNews,
  fulfilledBy: ({ status }) => (status === 'cancelled' ? ['cancel'] : []),
  newerParts: { beside: withNewerBilling, besideRow },
};

/** `withNewerBilling` in SQL. */
function besideRow(given: RawBuilder<unknown>): RawBuilder<unknown> {
  const isLess = (name: string) => {
    const field = sql.lit(name);
    return sql`(${given}->'billing'->${field})::numeric < (state->'billing'->${field})::numeric`;
  };
  const isLost = sql`(jsonb_exists(state, 'billing') and not jsonb_exists(${given}, 'billing'))`;
  return sql`case when ${isLost} or ${isLess('cyclesCompleted')} or ${isLess('updatedAt')}
    then jsonb_set(${given}, '{billing}', state->'billing') else ${given} end`;
}
