import { runCommand } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { portsFrom, serveStack } from './serve-stack.js';
import type { StackOptions } from './stack-options.js';
import { startStack } from './stack.js';

await runCommand((signal) =>
  serveStack(dataFolderFrom(process.env), signal, (options) =>
    startStack({ ...options, ports: portsFrom(process.env), ...temporalFrom(process.env) }),
  ),
);

function temporalFrom(env: NodeJS.ProcessEnv): Pick<StackOptions, 'temporalElsewhere'> {
  const address = env['TEMPORAL_ADDRESS'];
  const uiUrl = env['TEMPORAL_UI_URL'];
  return address ? { temporalElsewhere: { address, ...(uiUrl && { uiUrl }) } } : {};
}
