import { join } from 'node:path';
import { runCommand } from '#tools/command.js';
import { dataFolderFrom } from '#tools/data-folder.js';
import { chooseMutants } from '../mutants/options.js';
import { type Trial, runMutants } from '../mutants/run-mutants.js';

await runCommand(async (signal) => {
  const chosen = chooseMutants(process.argv.slice(2));
  const width = Math.max(...chosen.map(({ name }) => name.length));
  process.stderr.write(`the tests of ${chosen.length} mutants, without any of them …\n`);
  const trials = await runMutants(chosen, {
    folder: join(dataFolderFrom(process.env), 'mutants'),
    signal,
    report: (trial) => process.stdout.write(`${line(trial, width)}\n`),
  });
  const survived = trials.filter(({ verdict }) => verdict.outcome !== 'killed');
  process.stdout.write(
    `${JSON.stringify({
      mutants: trials.length,
      killed: trials.length - survived.length,
      survived: survived.map(({ mutant }) => mutant.name),
    })}\n`,
  );
  if (survived.length > 0) process.exitCode = 1;
});

function line({ mutant, verdict, seconds }: Trial, width: number): string {
  const what = {
    killed: () => (verdict.outcome === 'killed' ? `killed by: ${verdict.by}` : ''),
    survived: () => `SURVIVED: ${mutant.harm}`,
    unloaded: () => 'NOT TRIED: no test ran',
  }[verdict.outcome]();
  return `${mutant.name.padEnd(width)} ${seconds.toFixed(1).padStart(6)} s  ${what}`;
}
