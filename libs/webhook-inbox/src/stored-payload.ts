import { withoutEmails } from '#database/text';

/** Fields that explain an event and contain neither personal data nor secrets. All others are left out. */
const storedFields: ReadonlySet<string> = new Set([
  'id', 'create_time', 'update_time', 'resource_type', 'event_type', 'trigger_event', 'event_version', 'summary',
  'resource', 'state', 'status', 'amount', 'total', 'currency', 'value', 'details', 'subtotal', 'intent',
  'parent_payment', 'authorization_id', 'capture_id', 'sale_id', 'billing_agreement_id', 'payout_batch_id',
  'payout_item_id', 'sender_batch_id', 'valid_until', 'is_final_capture', 'invoice_number', 'custom',
  'reason_code', 'pending_reason', 'transaction_fee', 'transactions', 'related_resources', 'authorization',
  'capture', 'sale', 'refund', 'batch_header', 'batch_status', 'links', 'rel', 'method', 'href',
]); // prettier-ignore

const longestText = 500;
const longestList = 50;

/** An event's body for the inbox and for display: only allowed fields, in a form that PostgreSQL accepts. */
export function storedPayload(body: unknown): unknown {
  if (typeof body === 'string') return storedText(body);
  if (Array.isArray(body)) return body.slice(0, longestList).map(storedPayload);
  if (typeof body !== 'object' || body === null) return body;
  const stored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (storedFields.has(name)) stored[name] = storedPayload(value);
  }
  return stored;
}

/** The characters that may have to be changed in a short text. Most texts have none of them. */
const changeable = /[\0@\uff20\ufe6b%&\\?#\ud800-\udfff]/;

/** jsonb accepts neither NUL nor lone surrogates. The query of a URL may contain a token. */
function storedText(text: string): string {
  if (text.length <= longestText && !changeable.test(text)) return text;
  const clean = text.slice(0, longestText).replaceAll('\0', '\ufffd').toWellFormed();
  return withoutEmails(clean.replace(/(https?:\/\/[^\s?#]*)[?#]\S*/gi, '$1'));
}
