import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { apiEnvironment } from '#api/environment.js';
import { workerEnvironment } from '#worker/worker-config.js';
import { engineEnvironment, migrationEnvironment, purgeEnvironment } from '#configuration';
import { projectRoot } from './project.js';

// docs/configuration.md, from the schemas that check the environment at start. A unit test holds the file against this.

/** What the document says of a variable, or of a field of a JSON document in one. */
interface Described {
  readonly type?: string;
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
}

const introduction = `# Configuration

API and worker are configured by environment variables. One that is missing, malformed or does not agree with the others
stops the start; one error names each, never its value. \`npm start\` and \`npm run cluster\` make all that is required
themselves and pass on the optional ones that you set: \`RECONCILE_INTERVAL_MS=10000 npm start\`. Names that end in \`_MS\`
are milliseconds. An empty variable counts as absent. The sandbox's own variables are in
[its reference](provider.md#a-first-payment); containers get them from \`docker-compose.yml\` and \`.env\`.

What holds secrets can be in a file instead, as orchestrators mount them: \`DATABASE_URL_FILE\`, \`PROVIDER_APPLICATIONS_FILE\`,
\`CODEC_KEYS_FILE\`, \`API_KEYS_FILE\`, \`CONSOLE_USERS_FILE\`, \`CONSOLE_OIDC_FILE\` or \`TEMPORAL_API_KEY_FILE\` is its path.
Both set is an error.

This file is generated from the schemas by \`tools/configuration-docs.ts\`. After a change of a schema:
\`node tools/bootstrap.mjs configuration-docs\`.
`;

const widest = 120;

/** The whole text of docs/configuration.md. */
export function configurationDocs(): string {
  const shared = Object.keys(engineEnvironment.shape);
  return [
    introduction,
    section('API and worker', engineEnvironment, []),
    section('API', apiEnvironment, shared),
    section('Worker', workerEnvironment, shared),
    section('Migrations', migrationEnvironment, shared),
    section('Purge', purgeEnvironment, shared),
  ].join('\n');
}

function section(title: string, schema: z.ZodObject, leftOut: readonly string[]): string {
  // The input says what may be absent; only the output says what a JSON document holds.
  const given = describedBy(schema, 'input');
  const read = describedBy(schema, 'output').properties ?? {};
  const lines = Object.entries(given.properties ?? {})
    .filter(([name]) => !leftOut.includes(name))
    .flatMap(([name, variable]) => [
      ...item(0, name, factsOf(variable, given.required?.includes(name) === true)),
      ...fieldLines(read[name]?.items ?? read[name], 1),
    ]);
  return `## ${title}\n\n${lines.join('\n')}\n`;
}

function describedBy(schema: z.ZodObject, io: 'input' | 'output'): Described {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Described;
}

function fieldLines(document: Described | undefined, depth: number): string[] {
  return Object.entries(document?.properties ?? {}).flatMap(([name, field]) => [
    ...item(depth, name, factsOf(field, document?.required?.includes(name) === true)),
    ...fieldLines(field, depth + 1),
  ]);
}

function factsOf(described: Described, isRequired: boolean): string {
  const { description, enum: words, minimum, exclusiveMinimum, minLength } = described;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  const facts = [
    standing(described, isRequired),
    words && `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
    least !== undefined && least > 1 && `at least ${least}`,
    minLength !== undefined && minLength > 1 && `at least ${minLength} characters`,
  ];
  return [facts.filter((fact) => typeof fact === 'string').join(', '), description]
    .filter((part) => part !== undefined)
    .map((part) => `${part}.`)
    .join(' ');
}

function standing(described: Described, isRequired: boolean): string {
  if (described.default !== undefined) return `default \`${String(described.default)}\``;
  return isRequired ? 'required' : 'optional';
}

/** An item of a list, wrapped. */
function item(depth: number, name: string, facts: string): string[] {
  const indent = '  '.repeat(depth);
  const lines = [`${indent}- \`${name}\`:`];
  for (const word of facts.split(' ')) {
    const line = `${lines.at(-1) ?? ''} ${word}`;
    if (line.length > widest) lines.push(`${indent}  ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

if (import.meta.main) writeFileSync(join(projectRoot, 'docs/configuration.md'), configurationDocs());
