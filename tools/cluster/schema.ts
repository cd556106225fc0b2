import { escapeIdentifier } from 'pg';
import { runToEnd } from '../child-output.js';
import { Failure } from '../failure.js';
import { withClient, type Postgres } from '../postgres.js';
import { storePlugin, temporalDatabase, visibilityDatabase } from './server-config.js';

/** Database, and the name under which the tool carries its schema. */
const schemas = [
  [temporalDatabase, 'postgresql/v12/temporal'],
  [visibilityDatabase, 'postgresql/v12/visibility'],
] as const;

/** Said of a database whose schema was set up to its end: from then on it is only updated. */
const completeMark = 'schema complete';

/**
 * Makes Temporal's databases where they are missing and brings their schemas to the version of the tool. The tool goes
 * statement by statement: a database that an interrupted start has left half made is made again from nothing.
 * @throws Failure with what the tool says.
 */
export async function prepareSchemas(
  schemaTool: string,
  postgres: Postgres,
  signal: AbortSignal | undefined,
): Promise<void> {
  const prepare = async ([database, schema]: (typeof schemas)[number]): Promise<void> => {
    const run = (...args: string[]): Promise<void> =>
      runTool(schemaTool, postgres.url(database), args, signal);
    const isComplete = await isMarkedComplete(postgres, database);
    if (!isComplete) {
      await execute(postgres, `DROP DATABASE IF EXISTS ${escapeIdentifier(database)}`);
      await postgres.ensureDatabase(database);
      await run('setup-schema', '--version', '0.0');
    }
    await run('update-schema', '--schema-name', schema);
    if (!isComplete) {
      await execute(postgres, `COMMENT ON DATABASE ${escapeIdentifier(database)} IS '${completeMark}'`);
    }
  };
  await Promise.all(schemas.map(prepare));
}

/** Also under connections that a killed server has left. */
export async function dropSchemas(postgres: Postgres): Promise<void> {
  for (const [database] of schemas)
    await execute(postgres, `DROP DATABASE IF EXISTS ${escapeIdentifier(database)} WITH (FORCE)`);
}

async function runTool(
  program: string,
  databaseUrl: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const { exitCode, output } = await runToEnd(
    {
      command: program,
      args,
      isShown: false,
      // Not in the arguments: those can be read by everybody on this machine.
      env: {
        SQL_PLUGIN: storePlugin,
        SQL_HOST: hostname,
        SQL_PORT: port,
        SQL_USER: username,
        SQL_PASSWORD: password,
        SQL_DATABASE: pathname.slice(1),
      },
    },
    signal,
  );
  if (exitCode !== 0)
    throw new Failure(`The tables of Temporal could not be made (${args[0]}): ${lastLine(output)}`);
}

async function isMarkedComplete(postgres: Postgres, database: string): Promise<boolean> {
  const { rows } = await withClient(postgres.url('postgres'), (client) =>
    client.query<{ mark: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = $1`,
      [database],
    ),
  );
  return rows[0]?.mark === completeMark;
}

async function execute(postgres: Postgres, statement: string): Promise<void> {
  await withClient(postgres.url('postgres'), (client) => client.query(statement));
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}
