import { join } from 'node:path';
import { runCommand } from '#tools/command.js';
import { dataFolderFrom } from '#tools/data-folder.js';
import { clearDataFolder } from '../faults/clear-data-folder.js';
import { runReleases } from '../releases/campaign.js';
import { readOptions } from '../releases/options.js';
import { failuresOf, summaryOf } from '../releases/report.js';

await runCommand(async (signal) => {
  const options = readOptions(process.argv.slice(2));
  print(`seed ${options.seed}: the same changes, orders and kills again with --seed ${options.seed}`);
  const dataFolder = join(dataFolderFrom(process.env), 'releases');
  await clearDataFolder(dataFolder);
  const report = await runReleases({ ...options, dataFolder, report: tell, signal });
  for (const explanation of report.explanations) tell(`explained: ${explanation}`);
  for (const { kind, what } of report.discrepancies) tell(`${kind}: ${what}`);
  for (const call of report.delays.slowest) tell(`slow: ${call}`);
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
