import { linkedId } from '../linked-id.js';

/** Ids of the provider's resources that an event is about: by these it finds its run. */
export interface ResourceIds {
  readonly paymentId?: string;
  readonly authorizationId?: string;
  readonly captureId?: string;
  readonly saleId?: string;
  readonly refundId?: string;
  readonly agreementId?: string;
  readonly planId?: string;
  readonly payoutBatchId?: string;
  readonly payoutItemId?: string;
}

type IdName = keyof ResourceIds;
type Resource = Readonly<Record<string, unknown>>;

/** `resource_type` to the name of the resource's own id; plural and underscored forms occur in the wild. */
const OWN_ID: Readonly<Record<string, IdName>> = {
  payment: 'paymentId',
  authorization: 'authorizationId',
  capture: 'captureId',
  sale: 'saleId',
  refund: 'refundId',
  agreement: 'agreementId',
  plan: 'planId',
  payouts: 'payoutBatchId',
  payouts_item: 'payoutItemId',
};

/** Fields that name a related resource (provider-facts, "Paths" and "Webhook deliveries"). */
const RELATED: readonly (readonly [field: string, name: IdName])[] = [
  ['parent_payment', 'paymentId'],
  ['authorization_id', 'authorizationId'],
  ['capture_id', 'captureId'],
  ['sale_id', 'saleId'],
  ['billing_agreement_id', 'agreementId'],
  ['payout_batch_id', 'payoutBatchId'],
  ['payout_item_id', 'payoutItemId'],
];

export function resourceIdsOf(resourceType: string, resource: Resource): ResourceIds {
  const ids: { -readonly [Name in IdName]?: string } = {};
  const links = linksIn(resource);
  assign(ids, 'paymentId', linkedId(links, 'payment'));
  assign(ids, 'authorizationId', linkedId(links, 'authorization'));
  for (const [field, name] of RELATED) assign(ids, name, resource[field]);
  // A payout batch has its id in its header.
  const header = resource['batch_header'];
  if (isRecord(header)) assign(ids, 'payoutBatchId', header['payout_batch_id']);
  const own = OWN_ID[resourceType.toLowerCase()];
  if (own !== undefined) assign(ids, own, resource['id']);
  return ids;
}

export function isRecord(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function assign(ids: { -readonly [Name in IdName]?: string }, name: IdName, value: unknown): void {
  if (typeof value === 'string' && /^[A-Za-z0-9][\w-]{0,127}$/.test(value)) ids[name] = value;
}

function linksIn({ links }: Resource): readonly { readonly href: string }[] {
  return Array.isArray(links) ? links.filter(isLink) : [];
}

function isLink(value: unknown): value is { readonly href: string } {
  return isRecord(value) && typeof value['href'] === 'string';
}
