import { measureClientCpu } from '../client-cpu/measure-client-cpu.js';
import { fieldsOf } from '../harness/fields.js';
import type { BenchOptions } from '../harness/fresh-stack.js';
import type { Plan } from '../harness/plan.js';
import { median } from '../harness/statistics.js';
import { type Arena, openArena } from './arena.js';
import { summarize } from './contest-summary.js';
import { historyCosts } from './histories.js';
import { type Figures, measure } from './measurements.js';
import { type Results, tableLines } from './results.js';

/** All designs in turns, on one stack. @returns fields of the last line's JSON; the tables are reported. */
export async function measureContest(plan: Plan, options: BenchOptions): Promise<object> {
  options.report('measuring the CPU of the clients …');
  const clientCpu = await measureClientCpu(plan, options.signal);
  const results = { clientCpu, ...(await measureInArena(plan, options)) };
  for (const line of ['', ...tableLines(results), '']) options.report(line);
  return {
    ...fieldsOf(summarize(results)),
    failures: failuresOf(results.figures),
    historyEventsNaive: median(results.histories.naive.events),
    inFlight: plan.inFlight,
    rounds: plan.rounds,
  };
}

async function measureInArena(plan: Plan, options: BenchOptions): Promise<Omit<Results, 'clientCpu'>> {
  const arena = await openArena(options);
  try {
    const figures = await measure({ arena, ...options }, plan);
    return { figures, histories: await readHistories(arena, figures) };
  } finally {
    await arena.close();
  }
}

async function readHistories({ temporal }: Arena, { workflowIds }: Figures): Promise<Results['histories']> {
  return {
    ours: await historyCosts(temporal, workflowIds.ours),
    oursOverHttp: await historyCosts(temporal, workflowIds.oursOverHttp),
    naive: await historyCosts(temporal, workflowIds.naive),
    updates: await historyCosts(temporal, workflowIds.updates),
    // It has no run in Temporal.
    dbos: { events: [], bytes: [] },
    floor: await historyCosts(temporal, workflowIds.floor),
  };
}

/** How many lifecycles came to nothing, by contender. */
function failuresOf({ failures }: Figures): object {
  return Object.fromEntries(
    Object.entries(failures).map(([name, perRound]) => [name, perRound.reduce((sum, each) => sum + each, 0)]),
  );
}
