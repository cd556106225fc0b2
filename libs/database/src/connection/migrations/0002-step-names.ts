import { type Kysely, sql } from 'kysely';

/** An attempt is identified by its action, not by the step's number, which a crash can change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table attempts add column step_name text`,
  `update attempts set step_name = case step->>'type'
    when 'createPayment' then 'create'
    when 'executePayment' then 'execute-' || step_number
    else step->>'commandId' end`,
  `alter table attempts alter column step_name set not null`,
  // This also drops the old unique constraint.
  `alter table attempts drop column step_number`,
  `alter table attempts add unique (payment_id, step_name, attempt_number)`,
];
