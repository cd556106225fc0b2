import { ConfigurationError, readEnvironment } from '#configuration';
import { type RecoveredApplication, recover } from '#worker/recover.js';
import { workerEnvironment } from '#worker/worker-config.js';
import { runCommand } from './command.js';
import { countIn, parseOptions, text } from './command-options.js';
import { Failure } from './failure.js';
import { variablesOfWorker } from './variables-of-worker.js';
import { print, printAside } from './print.js';

const usage = 'npm run recover -- [--concurrency N] [--events-hours N] [--restored-to <instant>]';
const hourMs = 3_600_000;
const most = 9_999;

// Starts the runs of all open subjects again that Temporal does not know, with the variables of a worker.
await runCommand(async (signal) => {
  const { concurrency, eventsHours, restoredTo } = readOptions(process.argv.slice(2));
  const beganAt = performance.now();
  const recovered = await recover(await workerConfig(), {
    concurrency,
    eventsForMs: eventsHours * hourMs,
    restoredTo,
    report: printAside,
    signal,
  });
  const seconds = Math.round((performance.now() - beganAt) / 100) / 10;
  for (const application of recovered) tell(application);
  const totals = totalsOf(recovered);
  print(JSON.stringify({ ...totals, seconds }));
  if (totals.failed > 0) throw new Failure(`${totals.failed} runs could not be recovered: run it again.`);
});

async function workerConfig() {
  try {
    return readEnvironment(workerEnvironment, await variablesOfWorker());
  } catch (error) {
    if (error instanceof ConfigurationError) throw new Failure(error.message);
    throw error;
  }
}

function tell({ environment, application, runs, events, orders }: RecoveredApplication): void {
  if (orders > 0) print(`${environment}/${application}: ${orders} orders without a row are remembered`);
  const kinds = [...runs].filter(([, { open, rebuilt }]) => open > 0 || rebuilt > 0);
  for (const [kind, { open, rebuilt, failed }] of kinds) {
    const rest = failed > 0 ? `, ${failed} failed` : '';
    print(`${environment}/${application} ${kind}: ${open} open, ${rebuilt} rebuilt${rest}`);
  }
  if (events > 0) print(`${environment}/${application}: ${events} webhook events are dispatched again`);
}

function totalsOf(recovered: readonly RecoveredApplication[]) {
  const all = recovered.flatMap(({ runs }) => [...runs.values()]);
  const sum = (of: (runs: (typeof all)[number]) => number) =>
    all.reduce((total, runs) => total + of(runs), 0);
  return {
    openRuns: sum(({ open }) => open),
    rebuilt: sum(({ rebuilt }) => rebuilt),
    failed: sum(({ failed }) => failed),
    events: recovered.reduce((total, { events }) => total + events, 0),
  };
}

function readOptions(args: readonly string[]) {
  const values = parseOptions(args, { concurrency: text, 'events-hours': text, 'restored-to': text }, usage);
  return {
    concurrency: countIn(values, 'concurrency', 16, { most }),
    eventsHours: countIn(values, 'events-hours', 24, { most }),
    restoredTo: instantIn(values['restored-to']),
  };
}

/** The moment to which the engine's database was restored. */
function instantIn(written: string | undefined): Date | undefined {
  if (written === undefined) return undefined;
  const instant = new Date(written);
  if (!Number.isNaN(instant.getTime()) && instant.getTime() < Date.now()) return instant;
  throw new Failure(
    `--restored-to must be a past instant like 2026-01-31T12:00:00Z, not "${written}".\n${usage}`,
  );
}
