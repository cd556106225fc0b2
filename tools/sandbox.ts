import { join, relative } from 'node:path';
import { migrateSandboxDatabase, startApp } from './app-process.js';
import { Supervisor } from './supervisor.js';
import { runCommand, untilAborted } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { readDevelopmentConfig } from './development-config.js';
import { Failure } from './failure.js';
import { ensurePortsAreFree, parsePort } from './ports.js';
import { startPostgres } from './postgres.js';
import { projectRoot } from './project.js';
import { print } from './print.js';

// The payments service alone: everything of it that can be set is passed on by the environment; see apps/sandbox.
await runCommand(async (signal) => {
  const port = parsePort(process.env['PORT'], 'PORT', 4000);
  const end = Promise.withResolvers<string>();
  const supervisor = await Supervisor.open({
    // A folder per port, so that several can run side by side.
    dataFolder: join(dataFolderFrom(process.env), `sandbox-${port}`),
    report: print,
    onUnexpectedEnd: end.resolve,
  });
  signal.addEventListener('abort', () => void supervisor.stopAll());
  try {
    await ensurePortsAreFree([{ port, what: 'The payments sandbox', variable: 'PORT' }]);
    await start(supervisor, port);
    const accident = await Promise.race([untilAborted(signal), end.promise]);
    if (accident !== undefined) throw new Failure(accident);
  } finally {
    await supervisor.stopAll();
  }
});

async function start(supervisor: Supervisor, port: number): Promise<void> {
  const databaseUrl = process.env['DATABASE_URL'] || (await ownDatabase(supervisor));
  await migrateSandboxDatabase(databaseUrl);
  const origin = `http://${process.env['HOST'] || '127.0.0.1'}:${port}`;
  const client = chosenClient() ?? readDevelopmentConfig(supervisor.dataFolder);
  await startApp(supervisor, {
    app: 'sandbox',
    name: 'sandbox',
    readyUrl: `${origin}/healthz`,
    env: {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SANDBOX_CLIENT_ID: client.clientId,
      SANDBOX_CLIENT_SECRET: client.clientSecret,
    },
  });
  const secret = chosenClient() === undefined ? client.clientSecret : '$SANDBOX_CLIENT_SECRET';
  print(`
The payments sandbox listens on ${origin}. Ctrl-C stops it.

  a token     curl -u ${client.clientId}:${secret} -d grant_type=client_credentials ${origin}/v1/oauth2/token
  dashboard   ${origin}/dashboard
  manual      ${relative(process.cwd(), join(projectRoot, 'docs/provider.md'))}
`);
}

/** As the environment names it; undefined where it names none, and the sandbox gets one of its own. */
function chosenClient(): { clientId: string; clientSecret: string } | undefined {
  const { SANDBOX_CLIENT_ID: clientId, SANDBOX_CLIENT_SECRET: clientSecret } = process.env;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret)
    throw new Failure('SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET must be set together.');
  return { clientId, clientSecret };
}

async function ownDatabase(supervisor: Supervisor): Promise<string> {
  print('starting PostgreSQL …');
  const postgres = await startPostgres({ supervisor, name: 'postgres' });
  return postgres.ensureDatabase('sandbox');
}
