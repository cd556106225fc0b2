import type { OpenAPIObject } from '@nestjs/swagger';

/** What the groups of operations are for. Whoever writes a client needs none that is called internal. */
const tags: Readonly<Record<string, string>> = {
  Payments: 'Payments, what was captured of them, and their refunds.',
  Payouts: 'Batches that pay many receivers.',
  Plans: 'The terms of subscriptions.',
  Subscriptions: 'Payers who subscribe to a plan.',
  Notifications: 'Endpoints that are told what happens, what they were sent, and the same as a live stream.',
  Webhooks: 'The events that the provider has sent, for operators.',
  Reconciliation: 'Comparisons with the provider’s records, for operators.',
  Codec:
    'Sessions in which Temporal’s UI shows operators the encrypted histories. Its own calls are internal.',
  Payer: 'Internal: the provider redirects payers’ browsers to these addresses.',
  Provider: 'Internal: the provider delivers its webhook events to this address.',
  Health:
    'Internal: probes of the process. Metrics are served on a port of their own, and are not described here.',
};

/** Describes the tags, and marks the operations that nobody calls with an API key: they are no part of a client. */
export function describeTags({
  paths,
}: OpenAPIObject): { readonly name: string; readonly description: string }[] {
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods) as { readonly security?: readonly object[] }[])
      if (!operation.security?.length) Object.assign(operation, { 'x-internal': true });
  }
  return Object.entries(tags).map(([name, description]) => ({ name, description }));
}
