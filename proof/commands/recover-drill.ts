import { runJudged } from '../faults/run-judged.js';
import { failuresOf, summaryOf } from '../recovery/drill-report.js';
import { runDrill } from '../recovery/drill.js';
import { readOptions } from '../recovery/options.js';

await runJudged({
  folder: 'recover-drill',
  drawn: 'orders',
  readOptions,
  run: runDrill,
  failuresOf: (report, { runs }) => failuresOf(report, runs),
  summaryOf,
  notesOf: ({ forgotten }) => forgotten.map((one) => `forgotten: ${one}`),
});
