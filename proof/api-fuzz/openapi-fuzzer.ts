import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runToEnd } from '#tools/child-output.js';
import { Failure } from '#tools/failure.js';
import { cachedTool, type Document, documentOf, type FuzzTool, isLeftOut } from './tool.js';

const version = '0.2.0';
const casesPerOperation = 40;

const findingSchema = z.object({
  path: z.string(),
  method: z.string(),
  payload: z.object({ path_params: z.array(z.tuple([z.string(), z.string()])) }),
});

/** Bodies and parameters of the right type, whatever the patterns: only answers that the document names may come. */
export const openapiFuzzer: FuzzTool = {
  name: `openapi-fuzzer ${version}`,
  run: async (target, { seconds, reports }, signal) => {
    const folder = await cachedTool(
      {
        stamp: `openapi-fuzzer-${version}`,
        marks: 'bin/openapi-fuzzer',
        commands: (home) => [
          [
            'npm',
            'install',
            '--silent',
            '--no-audit',
            '--no-fund',
            '--prefix',
            home,
            '@apiture/openapi-down-convert@0.14.2',
          ],
          ['cargo', 'install', '--quiet', 'openapi-fuzzer', '--version', version, '--root', home],
        ],
      },
      signal,
    );
    if (folder === undefined) return undefined;
    const { url, apiKey } = target;
    const run = async (name: string, args: readonly string[], isShown = false) =>
      await runToEnd({ command: join(folder, name), args, cwd: reports, isShown }, signal);
    const document = withoutInternals(await documentOf(target));
    writeFileSync(join(reports, 'openapi-3.1.json'), JSON.stringify(document));
    const lowered = await run('node_modules/.bin/openapi-down-convert', [
      '-i',
      'openapi-3.1.json',
      '-o',
      'openapi-3.0.yaml',
    ]);
    if (lowered.exitCode !== 0)
      throw new Failure(`The document cannot be lowered to OpenAPI 3.0:\n${lowered.output}`);
    const results = join(reports, 'openapi-fuzzer');
    rmSync(results, { recursive: true, force: true });
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
    const cases = Math.max(1, Math.min(casesPerOperation, Math.floor((seconds * 10) / operations)));
    await run(
      'bin/openapi-fuzzer',
      [
        'run',
        '-s',
        'openapi-3.0.yaml',
        '-u',
        url,
        '-H',
        `Authorization: Bearer ${apiKey}`,
        '--max-test-case-count',
        String(cases),
        '-o',
        results,
      ],
      true,
    );
    return { tool: openapiFuzzer.name, operations, cases: operations * cases, findings: findingsIn(results) };
  },
};

/** Its parser knows OpenAPI 3.0 only; the converter takes neither two words for base64 nor webhooks. */
function withoutInternals({ webhooks: _own, ...document }: Document): Document {
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const kept = Object.entries(methods).filter(([, operation]) => !isLeftOut(operation));
    return kept.length > 0 ? [[path, Object.fromEntries(kept)] as const] : [];
  });
  const whole = JSON.stringify({ ...document, paths: Object.fromEntries(paths) });
  return JSON.parse(whole, (key, value: unknown) =>
    key === 'contentEncoding' ? undefined : value,
  ) as Document;
}

/** The tool writes path parameters as they are: with one of these in it, another address was asked. */
const anotherAddress = /[/?#\\]|^\.*$/;

function findingsIn(results: string): string[] {
  return readdirSync(results, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    if (!name.endsWith('.json')) return [];
    const text = readFileSync(join(results, name), 'utf8');
    const { path, method, payload } = findingSchema.parse(JSON.parse(text));
    if (payload.path_params.some(([, value]) => anotherAddress.test(value))) return [];
    return [
      `${method} /${path}: ${/(\d+)\.json$/.exec(name)?.[1]} is no answer of the document: ${text.replaceAll(/\s+/g, ' ')}`,
    ];
  });
}
