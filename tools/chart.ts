import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { readJson } from './audit-report.js';
import { getSchemas, kubernetesVersions } from './chart/schemas.js';
import { neededValues, valueSets } from './chart/value-sets.js';
import { runToEnd } from './child-output.js';
import { runCommand } from './command.js';
import { Failure } from './failure.js';
import { isGoInstalled } from './go-build.js';
import { cacheFolder } from './program-cache.js';
import { print } from './print.js';
import { projectRoot } from './project.js';
import { runVitest } from './vitest-run.js';

const chart = join(projectRoot, 'deploy/helm/payment-lifecycle-engine');
/** Go builds them from its module proxy; nobody has to install them. */
const programs = ['helm.sh/helm/v3/cmd/helm@v3.19.5', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0'];
const judged = z.object({
  summary: z.object({ valid: z.int(), invalid: z.int(), errors: z.int(), skipped: z.int() }),
});

// Lints the Helm chart, renders it with each set of values, has each manifest checked against the schemas of Kubernetes
// and of the operators, and runs the tests of what it renders. The last line of stdout is JSON.
await runCommand(async (signal) => {
  const startedAt = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    await buildPrograms(signal);
    print('getting the schemas of Kubernetes and of the operators …');
    const schemas = await getSchemas(folder, signal);
    let manifests = 0;
    for (const [place, set] of valueSets.entries()) {
      for (const version of kubernetesVersions) {
        const rendered = join(folder, `${place}-${version}`);
        const options = ['--kube-version', version, '--set', neededValues, '--set', set];
        await run('helm', ['lint', '--strict', ...options, chart], signal);
        await run('helm', ['template', 'r', ...options, '--output-dir', rendered, chart], signal);
        manifests += await check(['-kubernetes-version', version, ...schemas, rendered], signal);
      }
      print(`✓ ${set || 'the values that each deployment must give'}`);
    }
    const tests = await runVitest(['--project', 'unit', 'test/unit/helm-chart.test.ts'], {
      isShown: false,
      signal,
    });
    if (tests.failed > 0) throw new Failure(tests.output);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const { length: sets } = valueSets;
    print(
      JSON.stringify({
        ok: true,
        sets,
        kubernetes: kubernetesVersions,
        manifests,
        tests: tests.passed,
        seconds,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** They come first on the PATH, also for the tests. */
async function buildPrograms(signal: AbortSignal): Promise<void> {
  if (!isGoInstalled())
    throw new Failure('Go (https://go.dev/dl) is needed: it builds helm and kubeconform, once.');
  const folder = join(cacheFolder(process.env, homedir()), 'chart');
  mkdirSync(folder, { recursive: true });
  for (const program of programs) {
    print(`building ${program} with Go: two minutes the first time …`);
    await run('go', ['install', program], signal, { GOBIN: folder, GOFLAGS: '-mod=mod' });
  }
  process.env['PATH'] = [folder, process.env['PATH']].join(delimiter);
}

/** @returns the number of manifests. @throws Failure when one is not valid, or of a kind without a schema. */
async function check(options: readonly string[], signal: AbortSignal): Promise<number> {
  const args = ['-strict', '-summary', '-output', 'json', ...options];
  const output = await run('kubeconform', args, signal);
  const { valid, invalid, errors, skipped } = judged.parse(readJson(output)).summary;
  if (valid === 0 || invalid + errors + skipped > 0) throw new Failure(output);
  return valid;
}

async function run(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { exitCode, output } = await runToEnd({ command, args, isShown: false, env }, signal);
  if (exitCode !== 0) throw new Failure(`${command} ${args.join(' ')} ended with ${exitCode}:\n${output}`);
  return output;
}
