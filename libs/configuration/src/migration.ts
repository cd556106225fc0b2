import { z } from 'zod';
import { engineEnvironment } from './engine.js';

const role = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be the name of a role in PostgreSQL')
  .optional();

/** Variables of `npm run migrate`. */
export const migrationEnvironment = z.object({
  DATABASE_URL: engineEnvironment.shape.DATABASE_URL,
  API_ROLE: role.describe(
    'Role in PostgreSQL by which the API works: it is given what the API needs of the tables',
  ),
  WORKER_ROLE: role.describe('The same for workers'),
  PURGE_ROLE: role.describe('The same for `npm run purge`'),
});
