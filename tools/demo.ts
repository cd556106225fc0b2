import { join } from 'node:path';
import { z } from 'zod';
import { runCommand } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import type { DemoContext } from './demo/demo-context.js';
import { demonstrate, lifecycles, type Play } from './demo/demonstrate.js';
import { playShop } from './demo/shop.js';
import type { DevelopmentConfig } from './development-config.js';
import { Failure } from './failure.js';
import { findRunningStack } from './running-stack.js';
import { startStack } from './stack.js';
import type { StackAddresses } from './stack-environment.js';
import { print } from './print.js';

interface DemoStack {
  readonly api: string;
  readonly apiKey: string;
  readonly temporalAddress: string;
  readonly sandbox: DemoContext['sandbox'];
  stop(): Promise<void>;
}

/** DEMO_STACK. */
const elsewhereSchema = z.object({
  api: z.string(),
  sandbox: z.string(),
  temporalAddress: z.string(),
  apiKey: z.string().min(1),
  clientId: z.string(),
  clientSecret: z.string(),
});

/** The shop is made from the clone's sources, so it is none of those that are played in containers. */
const plays: Readonly<Record<string, Play>> = { ...lifecycles, shop: playShop };

await runCommand(async (signal) => {
  const lifecycle = process.argv[2] ?? 'authorize';
  try {
    print(JSON.stringify({ ok: true, lifecycle, ...(await playOnStack(lifecycle, signal)) }));
  } catch (error) {
    // The last line of stdout is JSON in any case; what went wrong is printed to stderr.
    print(JSON.stringify({ ok: false, lifecycle }));
    throw error;
  }
});

async function playOnStack(lifecycle: string, signal: AbortSignal): Promise<object> {
  const play = plays[lifecycle];
  if (!play)
    throw new Failure(`There is no lifecycle "${lifecycle}", only ${Object.keys(plays).join(', ')}.`);
  const stack = await runningOrOwnStack(signal);
  try {
    const startedAt = Date.now();
    const tell = (actor: string, what: string): void => {
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(3);
      print(`${seconds.padStart(8)} s  ${actor.padEnd(14)} ${what}`);
    };
    return await demonstrate(play, { ...stack, tell, signal }, stack.temporalAddress);
  } finally {
    await stack.stop();
  }
}

/** The stack that DEMO_STACK names, as in the compose file. */
function stackElsewhere(json: string): DemoStack {
  const { api, temporalAddress, apiKey, ...rest } = elsewhereSchema.parse(JSON.parse(json));
  return { api, temporalAddress, apiKey, sandbox: sandboxOf(rest, rest), stop: () => Promise.resolve() };
}

/** The stack of a running `npm start`, else one for this demo alone, on free ports and with data of its own. */
async function runningOrOwnStack(signal: AbortSignal): Promise<DemoStack> {
  const elsewhere = process.env['DEMO_STACK'];
  if (elsewhere) return stackElsewhere(elsewhere);
  const dataFolder = dataFolderFrom(process.env);
  const running = await findRunningStack(dataFolder);
  if (running) {
    print(`using the engine that runs at ${running.stack.api}`);
    const { api, temporalAddress } = running.stack;
    const sandbox = sandboxOf(running.stack, running.config);
    return { api, temporalAddress, sandbox, apiKey: running.config.apiKey, stop: () => Promise.resolve() };
  }
  const stack = await startStack({
    dataFolder: join(dataFolder, 'demo'),
    report: print,
    onUnexpectedEnd: complain,
    signal,
  });
  const { api, temporalAddress } = stack.addresses;
  const sandbox = sandboxOf(stack.addresses, stack.config);
  return { api, temporalAddress, sandbox, apiKey: stack.apiKey, stop: () => stack.stop() };
}

function sandboxOf(
  { sandbox: url }: Pick<StackAddresses, 'sandbox'>,
  { clientId, clientSecret }: Pick<DevelopmentConfig, 'clientId' | 'clientSecret'>,
): DemoContext['sandbox'] {
  return { url, clientId, clientSecret };
}

function complain(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
