import { z } from 'zod';
import { ApiError } from '../http/api-error.js';
import { withoutNulls } from '../http/without-nulls.js';

/** A JSON Patch (RFC 6902) with the operations that the public API accepts here. */
export const paymentPatch = z
  .array(
    z.strictObject({
      op: z.enum(['add', 'replace', 'remove']),
      path: z.string().min(1).max(200),
      value: z.unknown().optional(),
    }),
  )
  .min(1, 'Nothing to change')
  .max(50);

export type PaymentPatch = z.output<typeof paymentPatch>;

type Fields = Record<string, unknown>;

const TRANSACTION = '/transactions/0';
const ITEM_LIST = `${TRANSACTION}/item_list`;

/** Where a value can be added, and whether it can be removed. */
const PATHS: ReadonlyMap<string, 'required' | 'optional'> = new Map([
  [`${TRANSACTION}/amount`, 'required'],
  [`${TRANSACTION}/description`, 'optional'],
  [`${TRANSACTION}/custom`, 'optional'],
  [`${TRANSACTION}/invoice_number`, 'optional'],
  [`${TRANSACTION}/note_to_payee`, 'optional'],
  [`${TRANSACTION}/soft_descriptor`, 'optional'],
  [ITEM_LIST, 'optional'],
  [`${ITEM_LIST}/items`, 'optional'],
  [`${ITEM_LIST}/shipping_address`, 'optional'],
  [`${ITEM_LIST}/shipping_method`, 'optional'],
  [`${ITEM_LIST}/shipping_phone_number`, 'optional'],
  ['/payer/payer_info', 'optional'],
]);

/**
 * The document with the operations applied in their order; itself unchanged.
 * @throws ApiError VALIDATION_ERROR naming the operation that cannot be applied.
 */
export function applyPatch(document: object, patch: PaymentPatch): unknown {
  const patched = structuredClone(document) as Fields;
  for (const [index, { op, path, value }] of patch.entries()) {
    const kind = PATHS.get(path);
    if (kind === undefined) throw ApiError.invalid(`[${index}].path`, 'Cannot be updated');
    if (op === 'remove' && kind === 'required') throw ApiError.invalid(`[${index}].op`, 'Is required');
    const steps = path.split('/').slice(1);
    const last = steps.pop() ?? '';
    const parent = fieldsAt(patched, steps, op);
    if (parent === undefined || (op !== 'add' && !Object.hasOwn(parent, last))) {
      throw ApiError.invalid(`[${index}].path`, 'Nothing with this path exists');
    }
    if (op === 'remove') delete parent[last];
    else if (value == null) throw ApiError.invalid(`[${index}].value`, 'Required field is missing');
    else parent[last] = withoutNulls(value);
  }
  return patched;
}

/** The object that the steps lead to; adding creates missing ones, but never replaces a text or a list. */
function fieldsAt(document: Fields, steps: readonly string[], op: PaymentPatch[number]['op']) {
  let fields = document;
  for (const step of steps) {
    if (fields[step] === undefined && op === 'add') fields[step] = {};
    const next = fields[step];
    if (typeof next !== 'object' || next === null) return undefined;
    fields = next as Fields;
  }
  return Array.isArray(fields) ? undefined : fields;
}
