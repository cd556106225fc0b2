import { join } from 'node:path';
import { runCommand } from '#tools/command.js';
import { dataFolderFrom } from '#tools/data-folder.js';
import { failuresOf, summaryOf } from '../faults/campaign/campaign-report.js';
import { runCampaign } from '../faults/campaign/campaign.js';
import { readOptions } from '../faults/campaign/options.js';
import { clearDataFolder } from '../faults/clear-data-folder.js';

await runCommand(async (signal) => {
  const options = readOptions(process.argv.slice(2));
  print(`seed ${options.seed}: the same orders, faults and blows again with --seed ${options.seed}`);
  const dataFolder = join(dataFolderFrom(process.env), 'faults');
  await clearDataFolder(dataFolder);
  const report = await runCampaign({ ...options, dataFolder, report: tell, signal });
  for (const explanation of report.explanations) tell(`explained: ${explanation}`);
  const [first, ...others] = report.discrepancies.map(({ kind, what }) => `${kind}: ${what}`);
  if (first !== undefined) print(`first discrepancy: ${first}`);
  for (const other of others) tell(other);
  const failures = failuresOf(report);
  if (failures.length > 0) tell(`failed: ${failures.join('; ')}; databases and logs stay in ${dataFolder}`);
  print(JSON.stringify(summaryOf(report)));
  if (failures.length > 0) process.exitCode = 1;
});

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
