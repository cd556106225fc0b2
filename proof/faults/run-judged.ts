import { join } from 'node:path';
import { runCommand } from '#tools/command.js';
import { dataFolderFrom } from '#tools/data-folder.js';
import { print, printAside } from '#tools/print.js';
import { clearDataFolder } from './clear-data-folder.js';
import type { Discrepancy } from './discrepancy.js';

interface Judged {
  readonly discrepancies: readonly Discrepancy[];
  readonly explanations: readonly string[];
}

/** What a run gets besides its options. */
interface Run {
  readonly dataFolder: string;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

interface JudgedCommand<Options, Report> {
  /** Under the data folder; books, secrets and logs stay there after a failure. */
  readonly folder: string;
  /** What the seed draws. */
  readonly drawn: string;
  readonly readOptions: (args: readonly string[]) => Options;
  readonly run: (options: Options & Run) => Promise<Report>;
  readonly failuresOf: (report: Report, options: Options) => readonly string[];
  readonly summaryOf: (report: Report) => object;
  readonly notesOf?: (report: Report) => readonly string[];
}

/** Runs a campaign or a drill and prints how it is judged: the last line of stdout is one JSON object. */
export async function runJudged<Options extends { readonly seed: string }, Report extends Judged>({
  folder,
  drawn,
  readOptions,
  run,
  failuresOf,
  summaryOf,
  notesOf = () => [],
}: JudgedCommand<Options, Report>): Promise<void> {
  await runCommand(async (signal) => {
    const options = readOptions(process.argv.slice(2));
    print(`seed ${options.seed}: the same ${drawn} again with --seed ${options.seed}`);
    const dataFolder = join(dataFolderFrom(process.env), folder);
    await clearDataFolder(dataFolder);
    const report = await run({ ...options, dataFolder, report: printAside, signal });
    for (const explanation of report.explanations) printAside(`explained: ${explanation}`);
    const [first, ...others] = report.discrepancies.map(({ kind, what }) => `${kind}: ${what}`);
    if (first !== undefined) print(`first discrepancy: ${first}`);
    for (const line of [...others, ...notesOf(report)]) printAside(line);
    const failures = failuresOf(report, options);
    if (failures.length > 0)
      printAside(`failed: ${failures.join('; ')}; databases and logs stay in ${dataFolder}`);
    print(JSON.stringify(summaryOf(report)));
    if (failures.length > 0) process.exitCode = 1;
  });
}
