import type { Environment } from '../database/tables.js';

/** The accounts that pay by default; they exist from the first start on. */
export const DEFAULT_PAYERS: Readonly<Record<Environment, string>> = {
  sandbox: 'SANDBOXPAYER1',
  live: 'LIVEPAYER1',
};
