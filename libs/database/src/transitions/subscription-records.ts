import {
  isAlreadyKnown,
  type SubscriptionState,
  isTerminal,
  subscriptionStatuses,
} from '#workflows/lifecycle/subscription';
import { subscriptionNews } from '../notifications/subject-news.js';
import type { SubjectRecords } from './transition.js';

export const subscriptionRecords: SubjectRecords<SubscriptionState> = {
  table: 'subscriptions',
  ends: subscriptionStatuses.filter(isTerminal),
  resourcesOf: ({ agreementId }) =>
    agreementId === undefined ? [] : [{ id: agreementId, kind: 'agreement' }],
  isAlreadyKnown,
  newsOf: subscriptionNews,
  fulfilledBy: ({ status }) => (status === 'cancelled' ? ['cancel'] : []),
};
