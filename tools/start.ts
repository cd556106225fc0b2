import { randomUUID } from 'node:crypto';
import { runCommand, untilAborted } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { Failure } from './failure.js';
import { parsePort } from './ports.js';
import { publishRunningStack, withdrawRunningStack } from './running-stack.js';
import type { StackOptions } from './stack-options.js';
import { startStack, type Stack } from './stack.js';

await runCommand(async (signal) => {
  const dataFolder = dataFolderFrom(process.env);
  const end = Promise.withResolvers<string>();
  const stack = await startStack({
    ...optionsFrom(process.env),
    dataFolder,
    report,
    signal,
    onUnexpectedEnd: end.resolve,
  });
  publishRunningStack(dataFolder, stack.addresses);
  process.stdout.write(welcome(stack));
  try {
    const accident = await Promise.race([untilAborted(signal), end.promise]);
    if (accident !== undefined) throw new Failure(accident);
  } finally {
    report('stopping …');
    withdrawRunningStack(dataFolder);
    await stack.stop();
    report('everything is stopped; the data stay in ' + dataFolder);
  }
});

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

function optionsFrom(env: NodeJS.ProcessEnv): Pick<StackOptions, 'ports' | 'temporalElsewhere'> {
  const port = (variable: string, fallback: number): number => parsePort(env[variable], variable, fallback);
  const address = env['TEMPORAL_ADDRESS'];
  const uiUrl = env['TEMPORAL_UI_URL'];
  return {
    ports: {
      api: port('PORT', 3000),
      workerHealth: port('HEALTH_PORT', 3001),
      sandbox: port('SANDBOX_PORT', 4000),
      temporal: port('TEMPORAL_PORT', 7233),
      temporalUi: port('TEMPORAL_UI_PORT', 8233),
    },
    ...(address && { temporalElsewhere: { address, ...(uiUrl && { uiUrl }) } }),
  };
}

function welcome({ addresses, apiKey }: Stack): string {
  return `
The payment engine is running. Ctrl-C stops it.

  API              ${addresses.api}
  try it           ${addresses.api}/docs
  Temporal UI      ${addresses.temporalUi ?? `(that of ${addresses.temporalAddress})`}
  payments sandbox ${addresses.sandbox}
  API key          ${apiKey}

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
