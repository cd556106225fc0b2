import type { CommandRow, PaymentRow } from './schema.js';

/** Each column once, so that statements can name them. */
const columnsOfCommand: Readonly<Record<keyof CommandRow, true>> = {
  id: true,
  environment: true,
  application: true,
  idempotency_key: true,
  body_hash: true,
  kind: true,
  subject_id: true,
  parameters: true,
  status: true,
  result: true,
  requested_by: true,
  created_at: true,
  updated_at: true,
};
const columnsOfPayment: Readonly<Record<keyof PaymentRow, true>> = {
  id: true,
  environment: true,
  application: true,
  order_id: true,
  intent: true,
  status: true,
  state: true,
  version: true,
  version_floor: true,
  description: true,
  payee_masked: true,
  return_url: true,
  cancel_url: true,
  metadata: true,
  refund_changes: true,
  read_began_at: true,
  waits_since: true,
  created_at: true,
  updated_at: true,
};

export const commandColumns = Object.keys(columnsOfCommand) as (keyof CommandRow)[];
export const paymentColumns = Object.keys(columnsOfPayment) as (keyof PaymentRow)[];
