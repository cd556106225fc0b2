import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { runToEnd } from '../child-output.js';
import { Failure } from '../failure.js';
import { unpackWheel } from '../wheel.js';

/** The oldest that the chart allows, and the newest that the schemas know. */
export const kubernetesVersions = ['1.30.0', '1.37.0'] as const;

/** The schemas of Kubernetes, which kubeconform itself would read from an address that not every machine reaches. */
const ofKubernetes = {
  requirement: 'kubernetes-validate==1.37.0',
  digests: ['85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9'],
};

const kinds = [
  'cronjob-batch-v1',
  'deployment-apps-v1',
  'horizontalpodautoscaler-autoscaling-v2',
  'job-batch-v1',
  'networkpolicy-networking-v1',
  'poddisruptionbudget-policy-v1',
  'service-v1',
];

/** The Go modules whose folder has definitions of resources that the chart can ask for. */
const ofOperators = [
  ['github.com/prometheus-operator/prometheus-operator@v0.85.0', 'example/prometheus-operator-crd'],
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases'],
  [
    'github.com/temporalio/temporal-worker-controller@v1.8.1',
    'helm/temporal-worker-controller-crds/templates',
  ],
] as const;

/**
 * Gets the JSON schemas by which kubeconform judges.
 * @param folder an empty one, which the caller removes.
 * @returns its options.
 */
export async function getSchemas(folder: string, signal: AbortSignal): Promise<string[]> {
  const schemas = join(folder, 'schemas');
  mkdirSync(schemas);
  writeKubernetes(schemas, await unpackWheel(ofKubernetes, folder, signal));
  for (const [module, place] of ofOperators)
    writeDefinitions(schemas, join(await moduleFolder(module, signal), place));
  return [
    '{{.NormalizedKubernetesVersion}}-{{.ResourceKind}}{{.KindSuffix}}',
    '{{.Group}}-{{.ResourceKind}}-{{.ResourceAPIVersion}}',
  ].flatMap((name) => ['-schema-location', join(schemas, `${name}.json`)]);
}

/** Each as a file that refers to no other. */
function writeKubernetes(schemas: string, wheel: string): void {
  for (const version of kubernetesVersions) {
    const folder = join(wheel, 'kubernetes_validate/kubernetes-json-schema', `v${version}-local-strict`);
    const read = (name: string): object => {
      const text = readFileSync(join(folder, `${name}.json`), 'utf8');
      return JSON.parse(text.replaceAll('/api/_definitions.json#/', '#/')) as object;
    };
    const definitions = read('_definitions');
    for (const kind of kinds)
      writeFileSync(
        join(schemas, `v${version}-${kind}.json`),
        JSON.stringify({ ...definitions, ...read(kind) }),
      );
  }
}

const customResource = z.object({
  kind: z.literal('CustomResourceDefinition'),
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(z.object({ name: z.string(), schema: z.object({ openAPIV3Schema: z.json() }) })),
  }),
});

/** The definitions of custom resources in a folder, as strict JSON schemas. */
function writeDefinitions(schemas: string, folder: string): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml')))
    for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) {
      const read = customResource.safeParse(document.toJS());
      if (!read.success) continue;
      const { group, names, versions } = read.data.spec;
      for (const { name, schema } of versions)
        writeFileSync(
          join(schemas, `${group}-${names.kind}-${name}.json`.toLowerCase()),
          JSON.stringify(strict(schema.openAPIV3Schema)),
        );
    }
}

type Json = z.output<ReturnType<typeof z.json>>;

/** As a server of Kubernetes understands it, but without tolerance for fields that it does not know. */
export function strict(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['string', 'integer'] };
  const all = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, strict(part)]));
  const isOpen = 'additionalProperties' in all || all['x-kubernetes-preserve-unknown-fields'] === true;
  return 'properties' in all && !isOpen ? { ...all, additionalProperties: false } : all;
}

/** Where Go has put a module. */
async function moduleFolder(module: string, signal: AbortSignal): Promise<string> {
  const args = ['mod', 'download', '-json', module];
  const { output } = await runToEnd({ command: 'go', args, isShown: false, cwd: tmpdir() }, signal);
  const found = /"Dir": "([^"]+)"/.exec(output)?.[1];
  if (found === undefined) throw new Failure(`Go could not get ${module}: ${output.trim()}`);
  return found;
}
