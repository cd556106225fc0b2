import { runCommand } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { Failure } from './failure.js';
import { portsFrom, serveStack, temporalFrom } from './serve-stack.js';
import { startStack } from './stack.js';

const usage =
  'npm start takes no arguments; it runs until Ctrl-C. Its ports and folder are set by variables: docs/operations.md.';

await runCommand((signal) => {
  if (process.argv.length > 2) throw new Failure(usage);
  return serveStack(dataFolderFrom(process.env), signal, (options) =>
    startStack({ ...options, ports: portsFrom(process.env), ...temporalFrom(process.env) }),
  );
});
