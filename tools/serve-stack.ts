import { randomUUID } from 'node:crypto';
import { untilAborted } from './command.js';
import { openCodecLink } from './codec-link.js';
import { Failure } from './failure.js';
import { parsePort } from './ports.js';
import { Restarts } from './restarts.js';
import { publishRunningStack, withdrawRunningStack } from './running-stack.js';
import type { StackOptions, StackPorts } from './stack-options.js';
import { consolePasswordOf, consoleUser } from './stack-environment.js';
import type { Stack } from './stack.js';
import { print } from './print.js';

/**
 * Starts a stack, prints how to use it, starts again what ends unasked, and stops it when the signal is aborted.
 * @throws Failure when it does not start, or a part of it ends again and again.
 */
export async function serveStack(
  dataFolder: string,
  signal: AbortSignal,
  start: (
    options: Pick<StackOptions, 'dataFolder' | 'report' | 'signal' | 'onUnexpectedEnd'>,
  ) => Promise<Stack>,
): Promise<void> {
  const end = Promise.withResolvers<string>();
  const startedAt = Date.now();
  const restarts = new Restarts(print, end.resolve);
  const stack = await start({
    dataFolder,
    report: print,
    signal,
    onUnexpectedEnd: (sentence, _name, child) => restarts.noteEnd(sentence, child),
  });
  publishRunningStack(dataFolder, stack.addresses);
  const codecLink = await openCodecLink(stack.addresses.api, stack.apiKey);
  process.stdout.write(welcome(stack, codecLink, Date.now() - startedAt));
  try {
    const accident = await Promise.race([untilAborted(signal), end.promise]);
    if (accident !== undefined) throw new Failure(accident);
  } finally {
    restarts.stop();
    print('stopping …');
    withdrawRunningStack(dataFolder);
    await stack.stop();
    print('everything is stopped; the data stay in ' + dataFolder);
  }
}

/** The ports that people type: each can be moved by its variable. @throws Failure naming the variable. */
export function portsFrom(env: NodeJS.ProcessEnv): Required<StackPorts> {
  const port = (variable: string, fallback: number): number => parsePort(env[variable], variable, fallback);
  return {
    api: port('PORT', 3000),
    workerHealth: port('HEALTH_PORT', 3001),
    sandbox: port('SANDBOX_PORT', 4000),
    temporal: port('TEMPORAL_PORT', 7233),
    temporalUi: port('TEMPORAL_UI_PORT', 8233),
  };
}

/** A Temporal server that runs already, where TEMPORAL_ADDRESS names one. */
export function temporalFrom(env: NodeJS.ProcessEnv): Pick<StackOptions, 'temporalElsewhere'> {
  const address = env['TEMPORAL_ADDRESS'];
  const uiUrl = env['TEMPORAL_UI_URL'];
  return address ? { temporalElsewhere: { address, ...(uiUrl && { uiUrl }) } } : {};
}

function welcome({ addresses, apiUrls, apiKey }: Stack, codecLink: string, startedWithinMs: number): string {
  return `
The payment engine is running after ${(startedWithinMs / 1000).toFixed(1)} s. Ctrl-C stops it.

  API              ${apiUrls.join(', ')}
  try it           ${addresses.api}/docs
  Temporal UI      ${addresses.temporalUi ?? `(that of ${addresses.temporalAddress})`}
  payments sandbox ${addresses.sandbox}
  its dashboard    ${addresses.sandbox}/dashboard
  API key          ${apiKey}
  console          ${addresses.api}/console  (user ${consoleUser}, password ${consolePasswordOf({ apiKey })})

To read payloads in Temporal's UI, open this in the same browser (once, within the hour):
${codecLink}

Order a payment, then open the approvalUrl of the answer in a browser:

${firstPayment(addresses.api, apiKey)}
`;
}

function firstPayment(api: string, apiKey: string): string {
  const body = {
    orderId: 'order-1001',
    intent: 'authorize',
    amount: { value: '10.00', currency: 'USD' },
    returnUrl: 'https://example.com/orders/1001/paid',
    cancelUrl: 'https://example.com/orders/1001/cancelled',
  };
  return [
    `curl -sS ${api}/v1/payments \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    `  -H 'Idempotency-Key: ${randomUUID()}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
