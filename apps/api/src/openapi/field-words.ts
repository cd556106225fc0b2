/**
 * What a field means in every schema that says nothing else. Under `parent/field`, what it means there: the parent is
 * the field that holds it, or the component.
 */
const words: Readonly<Record<string, string>> = {
  action: 'What is done.',
  allowedActions: 'The commands that the state allows now.',
  amount: 'The amount of it.',
  amounts: 'The amounts by what has become of them.',
  at: 'When it happened, or is to happen.',
  attempts: 'The attempts, oldest first.',
  autoBillsOutstanding: 'Whether the outstanding amount of failed payments is billed with the next cycle.',
  begunAt: 'When it began.',
  calls: 'The calls, newest first.',
  captures: 'What was captured, oldest first.',
  checkedAt: 'When it was checked last.',
  code: 'Why, for programs.',
  commandId: 'The request that caused it; null if none did.',
  count: 'How many there are.',
  createdAt: 'When it was created.',
  currency: 'ISO 4217 code.',
  data: 'What it is about.',
  decidedBy: 'Who decided: `api-key:` and the id of the API key, or `console:` and the user’s name.',
  decision: 'What was decided.',
  decisions: 'The decisions, oldest first.',
  deliveries: 'How often, or to whom, it was delivered.',
  description: 'For people.',
  detail: 'What happened or is wrong, for people.',
  drift: 'Differences from the provider’s records.',
  durationMs: 'How long it took, in milliseconds.',
  email: 'An e-mail address.',
  endpointId: 'The endpoint that it is for.',
  error: 'Why no answer could be used; null if one could.',
  event: 'The event that caused it.',
  events: 'The events, newest first.',
  expiresAt: 'When it ends.',
  final: 'Whether the provider releases the rest of the authorization after it.',
  finishedAt: 'When it was delivered, or given up.',
  firstSeenAt: 'When it was seen first.',
  frequency: 'The unit of the time between two cycles.',
  from: 'The state before.',
  header: 'The header of the request that is wrong.',
  href: 'The address.',
  id: 'Its id.',
  inDoubtSince: 'Since when its outcome is unknown.',
  intent: '`authorize`: the funds are held and captured later. `sale`: the money is taken at once.',
  interval: 'Units of `frequency` between two cycles.',
  isUnverified: 'Whether it counts without a read of the provider.',
  item: 'The item as it stands.',
  itemCount: 'How many items it has.',
  itemId: 'The order service’s id of the item.',
  items: 'The items.',
  kind: 'Which kind it is.',
  lastPayment: 'The latest collected payment.',
  lastSeenAt: 'When it was seen last.',
  lastUsedAt: 'When it was used last.',
  links: 'Addresses of further operations that are useful now.',
  masked: 'Enough of it to recognize it.',
  maxFailedPayments: 'Consecutive failed payments after which it is suspended; 0: never.',
  metadata: 'Names and values beside the data.',
  method: 'The HTTP method.',
  mode: 'When the engine captures.',
  name: 'A name for people.',
  nextBillingAt: 'When the next cycle is billed.',
  nextCursor: 'The `cursor` of the next page; null on the last one.',
  nextLookAt: 'When the provider is asked next.',
  notifications: 'The notifications, newest first.',
  oldestReceivedAt: 'When the oldest of them came.',
  operation: 'The operation at the provider.',
  orderId: 'The order service’s id of the order.',
  outcome: 'How it ended; null while that is open.',
  parameter: 'The parameter of the request that is wrong.',
  path: 'The path of the call, without the host.',
  payloads: 'Payloads of Temporal.',
  payloadsShown: 'How many payloads were read.',
  payment: 'The payment as it stands.',
  paymentId: 'The payment that it is about.',
  payments: 'The payments.',
  payout: 'The payout as it stands.',
  payoutId: 'The payout that it is about.',
  payouts: 'The payouts, newest first.',
  pendingOperation:
    'The call to the provider that is under way or whose outcome is unknown; null if there is none.',
  phase: '`running`: under way. `retry`: it is called again. `doubt`: its outcome is unknown.',
  planId: 'The plan that it is about.',
  plans: 'The plans, newest first.',
  possibleDecisions: 'The decisions that the review takes.',
  problem: 'What is wrong with it; null if nothing is.',
  providerBatchId: 'The provider’s id of the batch; null until it has answered.',
  providerItemId: 'The provider’s id of the item; null until it has answered.',
  reason: 'Why it is so.',
  reauthorize: 'Whether the funds are held again after the honour period.',
  receivedAt: 'When it came.',
  receiver: 'Who is paid.',
  reference: 'Our own or the order service’s mark of it.',
  refund: 'The refund as it stands.',
  refundId: 'The refund that it is about.',
  refundedAt: 'When the money went back.',
  refunds: 'What went back.',
  refusal: 'Why it was refused; null if it was not.',
  regular: 'The regular phase.',
  rel: 'What the address is for.',
  requestId: 'The provider’s idempotency key of the call.',
  requestedBy: 'Who asked for it: `key:` and the id of the API key, or `console:` and the user’s name.',
  resource: 'The provider’s resource that it is about.',
  resourceId: 'The id of a resource at the provider.',
  revokedAt: 'When it was revoked.',
  settledAt: 'When its outcome was recorded.',
  setupFee: 'Collected once, when a subscription becomes active.',
  setupFeeFailure: 'Whether a declined setup fee stays outstanding or ends the subscription.',
  shipping: 'Billed with each cycle, besides the amount.',
  startDate: 'When the first cycle is billed.',
  state: 'The state of it: see its lifecycle.',
  stateAt: 'Since when it is in its state.',
  step: 'The call whose outcome is unknown, or that is under way.',
  subscription: 'The subscription as it stands.',
  subscriptionId: 'The subscription that it is about.',
  subscriptions: 'The subscriptions, newest first.',
  tax: 'Billed with each cycle, besides the amount.',
  timeline: 'What happened to it, oldest first.',
  title: 'What the kind of problem is, for people.',
  to: 'The state after.',
  transactionId: 'The provider’s id of the movement of money.',
  trial: 'The first cycles; null if there are none of their own.',
  type: 'Which type it is.',
  updatedAt: 'When its record changed last.',
  url: 'Where it is sent.',
  value: 'Decimal string with the decimals of the currency.',
  version: 'The number of the line.',
  warning: 'The end of the hold that is near or has come; null if none is.',
  'query/endpoint': 'Only those for this endpoint.',
  'query/kind': 'Only differences of this kind.',
  'query/orderId': 'Only those of this order.',
  'query/payment': 'Only those about this payment.',
  'query/planId': 'Only those of this plan.',
  'query/state': 'Only those in one of these states.',
  'query/token': 'The token of the approval address.',
  'query/type': 'Only those of this type.',
  'receiver/type': 'What names the receiver.',
  'receiver/value': 'The receiver, by this name.',
  'PaymentOrder/amount': 'The amount to hold or to take.',
  'Problem/status': 'The HTTP status.',
  'Health/status': 'Always `ok`.',
  'WebhookReceipt/received': 'Always true: the event is in the inbox.',
  'attempts/status': 'The HTTP status of the answer; null if none came.',
  'resource/state': 'The state that the event reports.',
};

/** Gives each field of a document a description that has none. */
export function describeFields({
  components,
  paths,
}: {
  components?: { schemas?: object };
  paths: object;
}): void {
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) describeIn(schema, name);
  describeIn(paths, '');
}

function describeIn(value: unknown, parent: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'parameters' && Array.isArray(member)) describeParameters(member);
    if (key === 'properties' && !Array.isArray(member))
      describeProperties(member as Record<string, object>, parent);
    else describeIn(member, parent);
  }
}

function describeParameters(parameters: readonly { name: string; in: string; description?: string }[]): void {
  for (const parameter of parameters) {
    const description = words[`${parameter.in}/${parameter.name}`];
    if (description !== undefined) parameter.description ??= description;
  }
}

function describeProperties(properties: Readonly<Record<string, object>>, parent: string): void {
  for (const [name, schema] of Object.entries(properties)) {
    const description = words[`${parent}/${name}`] ?? words[name];
    if (description !== undefined && !('description' in schema)) Object.assign(schema, { description });
    describeIn(schema, name);
  }
}
