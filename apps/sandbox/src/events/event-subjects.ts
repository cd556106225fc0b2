/** Members by which a resource names what it belongs to. */
const REFERENCES = [
  'id',
  'parent_payment',
  'authorization_id',
  'capture_id',
  'sale_id',
  'refund_id',
  'billing_agreement_id',
  'transaction_id',
] as const;

/** The ids under which a search by `transaction_id` finds the event of a resource. */
export function subjectsOf(resourceId: string, resource: object): string[] {
  const members: Partial<Record<string, unknown>> = { ...resource };
  const named = REFERENCES.map((name) => members[name]).filter((id) => typeof id === 'string');
  return [...new Set([resourceId, ...named])];
}
