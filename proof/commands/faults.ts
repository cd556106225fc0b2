import { failuresOf, summaryOf } from '../faults/campaign/campaign-report.js';
import { runCampaign } from '../faults/campaign/campaign.js';
import { readOptions } from '../faults/campaign/options.js';
import { runJudged } from '../faults/run-judged.js';

await runJudged({
  folder: 'faults',
  drawn: 'orders, faults and blows',
  readOptions,
  run: runCampaign,
  failuresOf,
  summaryOf,
});
