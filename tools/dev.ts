import { bundleWorkflows } from './bundle-workflows.js';
import { runCommand } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { portsFrom, serveStack, temporalFrom } from './serve-stack.js';
import { startStack } from './stack.js';
import { watchSources } from './watch-sources.js';

// `npm start`, and with each change of the sources that compiles, worker, API and sandbox start again.
await runCommand((signal) =>
  serveStack(dataFolderFrom(process.env), signal, async (options) => {
    const stack = await startStack({
      ...options,
      ports: portsFrom(process.env),
      ...temporalFrom(process.env),
    });
    const apps = [stack.sandbox, ...stack.workers, ...stack.apis];
    watchSources(signal, async () => {
      process.stdout.write('the sources have changed: sandbox, worker and API start again …\n');
      await bundleWorkflows();
      await Promise.all(apps.map((app) => app.restart()));
      process.stdout.write('they run what was changed.\n');
    });
    return stack;
  }),
);
