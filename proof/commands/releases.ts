import { runJudged } from '../faults/run-judged.js';
import { runReleases } from '../releases/campaign.js';
import { readOptions } from '../releases/options.js';
import { failuresOf, summaryOf } from '../releases/report.js';

await runJudged({
  folder: 'releases',
  drawn: 'changes, orders and kills',
  readOptions,
  run: runReleases,
  failuresOf,
  summaryOf,
  notesOf: ({ delays }) => delays.slowest.map((call) => `slow: ${call}`),
});
