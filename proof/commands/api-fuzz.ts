import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { countIn, parseOptions, text } from '#tools/command-options.js';
import { runCommand } from '#tools/command.js';
import { dataFolderFrom } from '#tools/data-folder.js';
import { print } from '#tools/print.js';
import { startStack } from '#tools/stack.js';
import { openapiFuzzer } from '../api-fuzz/openapi-fuzzer.js';
import { reportOf } from '../api-fuzz/report.js';
import { schemathesis } from '../api-fuzz/schemathesis.js';
import type { FuzzResult } from '../api-fuzz/tool.js';

// Public testers over the engine's own API, by its OpenAPI document.

const usage = 'npm run api:fuzz -- [--seconds <of each tool>] [--seed <number>]';

await runCommand(async (signal) => {
  const given = parseOptions(process.argv.slice(2), { seconds: text, seed: text }, usage);
  const dataFolder = join(dataFolderFrom(process.env), 'api-fuzz');
  const reports = join(dataFolder, 'reports');
  mkdirSync(reports, { recursive: true });
  const options = {
    seconds: countIn(given, 'seconds', 240, { most: 3_600 }),
    seed: countIn(given, 'seed', 1),
    reports,
  };
  const stack = await startStack({
    dataFolder,
    report: print,
    // Refusals are most of the answers.
    env: { api: { MAX_REFUSALS_PER_SECOND: '10000' } },
    signal,
  });
  const results: FuzzResult[] = [];
  const skipped: string[] = [];
  try {
    for (const tool of [schemathesis, openapiFuzzer]) {
      const result = await tool.run({ url: stack.addresses.api, apiKey: stack.apiKey }, options, signal);
      if (result) results.push(result);
      else skipped.push(tool.name);
    }
  } finally {
    await stack.stop();
  }
  for (const name of skipped) print(`${name}: skipped, it cannot be had here`);
  for (const { tool, findings } of results) for (const finding of findings) print(`✗ ${tool}: ${finding}`);
  const report = reportOf(results, { seed: options.seed, skipped });
  print(JSON.stringify(report));
  if (!report.ok) process.exitCode = 1;
});
