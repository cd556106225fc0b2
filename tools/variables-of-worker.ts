import { dataFolderFrom } from './data-folder.js';
import { findRunningStack } from './running-stack.js';
import { workerEnvironment } from './stack-environment.js';

/** The worker's variables in the environment; if they are absent, those of the stack that `npm start` has started here. */
export async function variablesOfWorker(): Promise<NodeJS.ProcessEnv> {
  if (['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => process.env[name] !== undefined))
    return process.env;
  const running = await findRunningStack(dataFolderFrom(process.env));
  return running ? { ...workerEnvironment(running.stack, running.config, 0), ...process.env } : process.env;
}
