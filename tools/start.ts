import { runCommand } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { Failure } from './failure.js';
import { startObservers } from './observers.js';
import { portsFrom, serveStack, temporalFrom } from './serve-stack.js';
import { startStack } from './stack.js';
import { print } from './print.js';

const usage =
  'npm start takes --observe or nothing; it runs until Ctrl-C. Its ports and folder are set by variables: docs/operations.md.';

await runCommand(async (signal) => {
  const options = process.argv.slice(2);
  if (options.some((option) => option !== '--observe')) throw new Failure(usage);
  const dataFolder = dataFolderFrom(process.env);
  const observers = options.length > 0 ? await startObservers({ dataFolder, report: print }) : undefined;
  try {
    await serveStack(dataFolder, signal, (given) =>
      startStack({
        ...given,
        ports: portsFrom(process.env),
        ...temporalFrom(process.env),
        ...(observers && { env: observers.env }),
      }),
    );
  } finally {
    await observers?.stop();
  }
});
