import { join } from 'node:path';
import { runCommand } from './command.js';
import { packPackages } from './packages.js';
import { projectRoot } from './project.js';

await runCommand(async (signal) => {
  const tarballs = await packPackages(join(projectRoot, 'dist/packages'), signal);
  process.stdout.write(`${tarballs.join('\n')}\n`);
});
