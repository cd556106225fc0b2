import { createHash, randomBytes } from 'node:crypto';
import { runCommand } from './command.js';
import { provideBaseImages } from './containers/base-images.js';
import { type ContainerEngine, openContainerEngine } from './containers/container-engine.js';
import { build } from './containers/stand-ins.js';
import { lifecycles } from './demo/demonstrate.js';
import { applicationName, environmentName } from './stack-environment.js';
import { freePort } from './ports.js';
import { projectRoot } from './project.js';
import { print } from './print.js';
import { newSecret } from './new-secret.js';

/** Stages of the Dockerfile that are images of their own. */
const targets = ['api', 'worker', 'sandbox'];

// Builds the images (unless `--no-build`: then those that are there are used), brings docker-compose.yml up, plays every
// demo against it, and takes it down. The last line of stdout is JSON in any case.
await runCommand(async (signal) => {
  const startedAt = Date.now();
  const played: object[] = [];
  let standIns: string[] = [];
  const reported = (ok: boolean): string =>
    JSON.stringify({ ok, standIns, demos: played, seconds: Math.round((Date.now() - startedAt) / 1000) });
  const engine = await openContainerEngine({ env: await composeVariables(), signal });
  try {
    print(`containers run by ${engine.name}`);
    standIns = await provideBaseImages(engine, print, signal);
    if (standIns.length > 0) print(`stand-ins, made on this machine: ${standIns.join(', ')}`);
    for (const target of process.argv.includes('--no-build') ? [] : targets) {
      print(`building the image of the ${target} …`);
      await build(engine, '--target', target, '--tag', `payment-lifecycle-engine/${target}`, projectRoot);
    }
    await playDemos(engine, played);
    print(reported(true));
  } catch (error) {
    print(reported(false));
    throw error;
  } finally {
    await engine.close();
  }
});

async function playDemos(engine: ContainerEngine, played: object[]): Promise<void> {
  const compose = (...args: readonly string[]): Promise<string> =>
    engine.compose('--project-name', `payments-${process.pid}`, ...args);
  try {
    print('bringing docker-compose.yml up …');
    await compose('up', '--detach', '--no-build');
    for (const [place, lifecycle] of Object.keys(lifecycles).entries()) {
      // The first one waits for what it needs; it is there for the others.
      const needs = place === 0 ? [] : ['--no-deps'];
      const output = await compose('run', '-T', '--rm', ...needs, 'demo', lifecycle);
      const outcome = JSON.parse(output.trim().split('\n').at(-1) ?? '') as object;
      print(`  ${JSON.stringify(outcome)}`);
      played.push(outcome);
    }
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
  const [apiPort, sandboxPort, uiPort] = await Promise.all([freePort(), freePort(), freePort()]);
  return {
    ENGINE_DB_PASSWORD: newSecret(),
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
    PORT: String(apiPort),
    SANDBOX_PORT: String(sandboxPort),
    TEMPORAL_UI_PORT: String(uiPort),
  };
}
