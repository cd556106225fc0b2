import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAudit, readJson } from './audit-report.js';
import { runToEnd } from './child-output.js';
import { runCommand } from './command.js';
import { Failure } from './failure.js';
import { billOfMaterials, judgeLicences } from './licences.js';
import { projectRoot } from './project.js';
import { countsLine } from './test-counts.js';
import { print } from './print.js';

// What the processes of production are made of: the bill of materials, the licences, known vulnerabilities.

const file = 'dist/sbom.cdx.json';

await runCommand(async (signal) => {
  const bill = await writeBill(signal);
  const { counts, refused } = judgeLicences(bill);
  const licences = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  print(`${file}: ${bill.components.length} packages. Licences: ${licences}`);
  for (const each of refused) print(`✗ licence not allowed: ${each}`);
  const audit = readAudit(await npm(['audit', '--omit=dev', '--json', '--loglevel=silent'], signal));
  // A registry that is away stops nobody's work.
  print(
    audit
      ? `audited: ${audit.summary}`
      : 'not audited: the package registry gave no answer to npm audit. Repeat it where one does',
  );
  const checks = [refused.length === 0, ...(audit ? [!audit.isSerious] : [])];
  const passed = checks.filter(Boolean).length;
  print(countsLine({ passed, failed: checks.length - passed }));
  if (passed < checks.length) process.exitCode = 1;
});

async function writeBill(signal: AbortSignal) {
  const text = await npm(['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--loglevel=error'], signal);
  const bill = billOfMaterials.safeParse(readJson(text));
  if (!bill.success) throw new Failure(`npm sbom gave no bill of materials:\n${text.slice(0, 2_000)}`);
  mkdirSync(join(projectRoot, 'dist'), { recursive: true });
  writeFileSync(join(projectRoot, file), text);
  return bill.data;
}

async function npm(args: readonly string[], signal: AbortSignal): Promise<string> {
  return (await runToEnd({ command: 'npm', args, isShown: false }, signal)).output;
}
