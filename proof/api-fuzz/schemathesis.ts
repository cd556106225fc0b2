import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runToEnd } from '#tools/child-output.js';
import { projectRoot } from '#tools/project.js';
import { cachedTool, documentOf, type FuzzTool, isLeftOut } from './tool.js';

const version = '4.32.5';

const reportSchema = z.object({
  operations: z.object({ tested: z.number() }),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ code: z.string(), title: z.string(), operations: z.array(z.string()) })),
  errors: z.array(z.unknown()),
});

/** Property-based: valid and invalid requests from the schemas, and walks along the document's links. */
export const schemathesis: FuzzTool = {
  name: `schemathesis ${version}`,
  run: async (target, { seconds, seed, reports }, signal) => {
    const folder = await cachedTool(
      {
        stamp: `schemathesis-${version}`,
        marks: 'bin/st',
        commands: (home) => [
          ['python3', '-m', 'venv', home],
          [join(home, 'bin/pip'), 'install', '--quiet', `schemathesis==${version}`],
        ],
      },
      signal,
    );
    if (folder === undefined) return undefined;
    const { url, apiKey } = target;
    const leftOut = Object.values((await documentOf(target)).paths)
      .flatMap((methods) => Object.values(methods))
      .filter(isLeftOut)
      .flatMap(({ operationId }) => ['--exclude-operation-id', operationId]);
    const own = join(projectRoot, 'proof/api-fuzz');
    const report = join(reports, 'schemathesis.json');
    // That of an earlier run would pass for this one's if the tool broke down.
    rmSync(report, { force: true });
    const args = [
      '--config-file',
      join(own, 'schemathesis.toml'),
      'run',
      `${url}/openapi.json`,
      '--header',
      `Authorization: Bearer ${apiKey}`,
      ...leftOut,
      '--seed',
      String(seed),
      '--max-time',
      String(seconds),
      '--max-examples',
      '30',
      // Two break Python's parser of that version now and then.
      '--workers',
      '1',
      '--continue-on-failure',
      '--request-timeout',
      '30',
      '--report',
      'json',
      '--report-json-path',
      report,
    ];
    const env = { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: own, PYTHONDONTWRITEBYTECODE: '1' };
    await runToEnd({ command: join(folder, 'bin/st'), args, env, cwd: reports, isShown: true }, signal);
    const { operations, test_cases, failures, errors } = reportSchema.parse(
      JSON.parse(readFileSync(report, 'utf8')),
    );
    return {
      tool: schemathesis.name,
      operations: operations.tested,
      cases: test_cases.generated,
      findings: [
        ...failures.map(({ code, title, operations: where }) => `${code} ${title}: ${where.join(', ')}`),
        ...errors.map((error) => JSON.stringify(error)),
      ],
    };
  },
};
