import { createHash, randomBytes } from 'node:crypto';
import { flag, parseOptions } from './command-options.js';
import { runCommand } from './command.js';
import { baseImages, observersFile, provideImages, provideObservers } from './containers/base-images.js';
import { readBill } from './containers/bill-in-image.js';
import { type ContainerEngine, openContainerEngine } from './containers/container-engine.js';
import { type Observing, observe } from './containers/observe.js';
import { rolesAtWork } from './containers/roles-at-work.js';
import { build } from './containers/stand-ins.js';
import { lifecycles } from './demo/demonstrate.js';
import { applicationName, environmentName } from './stack-environment.js';
import { freePort } from './ports.js';
import { projectRoot } from './project.js';
import { print } from './print.js';
import { newSecret } from './new-secret.js';

/** Stages of the Dockerfile that are images of their own. */
const targets = ['api', 'worker', 'sandbox'];
const imageOf = (target: string): string => `payment-lifecycle-engine/${target}`;

// Builds the images (unless `--no-build`: then those that are there are used), brings docker-compose.yml up, plays every
// demo against it, and takes it down; with `--observe` also deploy/observability/compose.yaml, whose services are asked
// what they have seen of the demos. The last line of stdout is JSON in any case.
await runCommand(async (signal) => {
  const usage = 'npm run containers -- [--no-build] [--observe]';
  const options = parseOptions(process.argv.slice(2), { 'no-build': flag, observe: flag }, usage);
  const startedAt = Date.now();
  const report: Report = { standIns: [], billed: {}, demos: [] };
  const reported = (ok: boolean): string =>
    JSON.stringify({ ok, ...report, seconds: Math.round((Date.now() - startedAt) / 1000) });
  const env = await composeVariables();
  const engine = await openContainerEngine({ env, signal });
  try {
    print(`containers run by ${engine.name}`);
    const progress = { report: print, signal };
    report.standIns = await provideImages(engine, baseImages(), progress);
    const observers = options.observe ? await provideObservers(engine, progress) : undefined;
    if (observers) {
      report.standIns = [...report.standIns, ...observers.standIns];
      report.missing = [...observers.missing.values()];
    }
    if (report.standIns.length > 0) print(`stand-ins, made on this machine: ${report.standIns.join(', ')}`);
    for (const target of options['no-build'] ? [] : targets) {
      print(`building the image of the ${target} …`);
      await build(engine, '--target', target, '--tag', imageOf(target), projectRoot);
    }
    for (const target of targets) report.billed[target] = await readBill(engine, imageOf(target));
    const withObservers = observers && { missing: [...observers.missing.keys()], env, signal };
    await playDemos(engine, report, withObservers);
    print(reported(true));
  } catch (error) {
    print(reported(false));
    throw error;
  } finally {
    await engine.close();
  }
});

interface Report {
  standIns: readonly string[];
  /** Images of observers that could not be had: their services do not run. */
  missing?: readonly string[];
  /** The packages that each image names in its bill of materials. */
  readonly billed: Record<string, number>;
  readonly demos: object[];
  /** By which the processes work, and which owns the schema. */
  roles?: readonly string[];
  /** What the observers that run have seen. */
  observed?: object;
}

async function playDemos(
  engine: ContainerEngine,
  report: Report,
  observers: Observing | undefined,
): Promise<void> {
  const files = observers ? ['--file', 'docker-compose.yml', '--file', observersFile] : [];
  const compose = (...args: readonly string[]): Promise<string> =>
    engine.compose('--project-name', `payments-${process.pid}`, ...files, ...args);
  try {
    print(`bringing docker-compose.yml ${observers ? `and ${observersFile} ` : ''}up …`);
    const left = ['demo', ...(observers?.missing ?? [])];
    const services = (await compose('config', '--services')).trim().split('\n');
    await compose('up', '--detach', '--no-build', ...services.filter((name) => !left.includes(name)));
    for (const [place, lifecycle] of Object.keys(lifecycles).entries()) {
      // The first one waits for what it needs; it is there for the others.
      const needs = place === 0 ? [] : ['--no-deps'];
      const output = await compose('run', '-T', '--rm', ...needs, 'demo', lifecycle);
      const outcome = JSON.parse(output.trim().split('\n').at(-1) ?? '') as object;
      print(`  ${JSON.stringify(outcome)}`);
      report.demos.push(outcome);
    }
    report.roles = await rolesAtWork(compose);
    if (observers) report.observed = await observe(observers);
  } catch (error) {
    print(await compose('ps', '--all').catch(() => ''));
    print(await compose('logs', '--tail', '15').catch(() => ''));
    throw error;
  } finally {
    print('taking it down …');
    await compose('--profile', 'demo', 'down', '--volumes', '--timeout', '20').catch(() => undefined);
  }
}
/** Fresh secrets, and ports of this machine that nobody uses. */
async function composeVariables(): Promise<Record<string, string>> {
  const apiKey = newSecret();
  const sha256 = createHash('sha256').update(apiKey).digest('hex');
  const names = [
    'PORT',
    'SANDBOX_PORT',
    'TEMPORAL_UI_PORT',
    'PROMETHEUS_PORT',
    'GRAFANA_PORT',
    'JAEGER_PORT',
  ];
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())]));
  return {
    ENGINE_DB_PASSWORD: newSecret(),
    ENGINE_OWNER_PASSWORD: newSecret(),
    ENGINE_API_PASSWORD: newSecret(),
    ENGINE_WORKER_PASSWORD: newSecret(),
    SANDBOX_DB_PASSWORD: newSecret(),
    TEMPORAL_DB_PASSWORD: newSecret(),
    SANDBOX_CLIENT_ID: 'shop',
    SANDBOX_CLIENT_SECRET: newSecret(),
    WEBHOOK_SECRET: newSecret(),
    CODEC_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    API_KEYS: JSON.stringify([
      { id: 'demo', sha256, environment: environmentName, application: applicationName },
    ]),
    DEMO_API_KEY: apiKey,
    ...(Object.fromEntries(ports) as Record<string, string>),
  };
}
