import { unfolded } from '../sentences/words.js';

/** The events of timelines in words, with the actor of those that have no command. */
const known: Readonly<Record<string, readonly [actor: string, text: string]>> = {
  paymentCreated: ['Provider', 'The payment exists at the provider; the payer can approve'],
  payerApproved: ['Payer', 'The payer approved'],
  payerCancelled: ['Payer', 'The payer cancelled'],
  authorizationGranted: ['Provider', 'The funds are held'],
  authorizationRenewed: ['Provider', 'The funds are held again'],
  reauthorizationTooSoon: ['Provider', 'The reauthorization came too soon'],
  saleAnswered: ['Provider', 'The sale was answered'],
  approvalFoundMissing: ['Provider', 'The payer has not approved there'],
  captureAnswered: ['Provider', 'The capture was answered'],
  voidConfirmed: ['Provider', 'The void is confirmed'],
  providerObserved: ['Engine', 'A read of the provider showed news'],
  providerNotified: ['Engine', 'The provider is read, because it has news or somebody asked'],
  refundNotified: ['Engine', 'The provider is read, because it has news or somebody asked'],
  observationFailed: ['Engine', 'A read of the provider failed'],
  refundAnswered: ['Provider', 'The refund was answered'],
  refundObserved: ['Engine', 'A read showed the refund'],
  refundFoundMissing: ['Engine', 'The provider does not show the refund'],
  refundCameToLight: ['Provider', 'A refund that was given up was made after all'],
  agreementCreated: ['Provider', 'The agreement exists; the payer can approve'],
  payoutCreated: ['Provider', 'The batch exists at the provider'],
  payoutObserved: ['Engine', 'A read showed the items'],
  itemCancelled: ['Provider', 'The item is cancelled'],
  planCreated: ['Provider', 'The plan exists at the provider'],
  planActivated: ['Provider', 'The plan is active'],
  stepDeclined: ['Provider', 'The provider declined'],
  stepDeferred: ['Provider', 'The provider asked to try again later'],
  stepProvedUndone: ['Engine', 'It is proved that the step did not happen'],
  stepDecidedUndone: ['Operator', 'It was decided that the step did not happen'],
  outcomeUnknown: ['Engine', 'The reply was lost: the outcome is unknown'],
  lookInconclusive: ['Engine', 'A lookup found no outcome'],
  reviewCameDue: ['Clock', 'The outcome has been unknown for too long: a person must decide'],
  reviewDecided: ['Operator', 'A person decided'],
  decisionRefused: ['Engine', 'The decision was checked and refused'],
  approvalTimedOut: ['Clock', 'The time for approval is over'],
  captureCameDue: ['Clock', 'The capture policy is due'],
  honourCaptureCameDue: ['Clock', 'The honour policy captures'],
  honourPeriodNearedEnd: ['Clock', 'The honour period ends soon'],
  honourPeriodEnded: ['Clock', 'The honour period has ended: the funds are no longer guaranteed'],
  reauthorizationCameDue: ['Clock', 'The honour policy reauthorizes'],
  captureWindowNearedEnd: ['Clock', 'The capture window ends soon'],
  settlementCameDue: ['Clock', 'The expiry policy is due'],
  authorizationLapsed: ['Clock', 'The capture window is over'],
  pollCameDue: ['Clock', 'The provider is read'],
};

export function actorOfEvent(event: string): string {
  return known[event]?.[0] ?? 'Engine';
}

export function eventText(event: string): string {
  const text = known[event]?.[1];
  if (text !== undefined) return text;
  const words = unfolded(event);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
