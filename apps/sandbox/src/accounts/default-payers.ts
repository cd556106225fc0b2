import type { Environment } from '../database/tables.js';

/** Who pays where nobody chooses: accounts that exist from the first start on. */
export const DEFAULT_PAYERS: Readonly<Record<Environment, string>> = {
  sandbox: 'SANDBOXPAYER1',
  live: 'LIVEPAYER1',
};
