import { runCommand } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { portsFrom, serveStack, temporalFrom } from './serve-stack.js';
import { startStack } from './stack.js';

await runCommand((signal) =>
  serveStack(dataFolderFrom(process.env), signal, (options) =>
    startStack({ ...options, ports: portsFrom(process.env), ...temporalFrom(process.env) }),
  ),
);
