import { runCommand } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { Failure } from './failure.js';
import { listenToNotifications } from './notification-listener.js';
import { findRunningStack } from './running-stack.js';

await runCommand(async (signal) => {
  const running = await findRunningStack(dataFolderFrom(process.env));
  if (!running) throw new Failure('No engine runs on this folder: start one by `npm start`.');
  await listenToNotifications({
    api: running.stack.api,
    apiKey: running.config.apiKey,
    print: (line) => process.stdout.write(`${line}\n`),
    signal,
  });
});
