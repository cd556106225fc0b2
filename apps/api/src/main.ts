import { ConfigurationError, readEnvironment } from '#configuration';
import { SchemaTooOld } from '#database/connection';
import { type RunningApi, startApi } from './api.js';
import { apiConfigOf, apiEnvironment } from './environment.js';

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

try {
  const config = apiConfigOf(readEnvironment(apiEnvironment, process.env));
  await serve(await startApi(config, stopping.signal), stopping.signal);
} catch (error) {
  if (stopping.signal.aborted) process.exit(0);
  const reason = isShowable(error) ? error.message : codeOf(error);
  process.stderr.write(`The API cannot start. ${reason}\n`);
  process.exitCode = 1;
}

async function serve(api: RunningApi, stop: AbortSignal): Promise<void> {
  if (!stop.aborted) {
    await new Promise((resolve) => {
      stop.addEventListener('abort', resolve, { once: true });
    });
  }
  await api.close();
}

/** These name variables and migrations only; any other message may quote an address with a password in it. */
function isShowable(error: unknown): error is Error {
  return error instanceof ConfigurationError || error instanceof SchemaTooOld;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error ? `${error.name} (${String(error.code)})` : error.name;
}
