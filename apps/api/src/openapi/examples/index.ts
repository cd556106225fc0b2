import type { OpenAPIObject } from '@nestjs/swagger';
import { answers, done, ordered, underWay } from './answers.js';
import { problems } from './problems.js';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly content?: Readonly<
    Record<string, { readonly schema?: { readonly $ref?: string }; examples?: Record<string, object> }>
  >;
}

/** Gives each answer of the document an example of it as a whole; each stands once among the components. */
export function describeExamples({ paths }: OpenAPIObject): Record<string, object> {
  const examples: Record<string, object> = {};
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods) as Operation[]) {
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const media of Object.values(content)) {
          const found = exampleOf(operation.operationId, status, media.schema?.$ref?.split('/').at(-1));
          if (!found) continue;
          examples[found.name] ??= { value: found.value };
          media.examples = { [found.name]: { $ref: `#/components/examples/${found.name}` } };
        }
      }
    }
  }
  return examples;
}

function exampleOf(
  operationId: string,
  status: string,
  component: string | undefined,
): { readonly name: string; readonly value: object | undefined } | undefined {
  if (component === undefined) return undefined;
  if (component === 'Problem') return named(`Problem${status}`, problems[status]);
  const ofStatus = { '200': done[operationId], '201': ordered[component], '202': underWay[component] }[
    status
  ];
  if (!ofStatus) return named(component, answers[component]);
  return named(status === '200' ? titled(operationId) : `${component}${status}`, ofStatus);
}

function named(name: string, value: object | undefined) {
  return value && { name, value };
}

function titled(operationId: string): string {
  return `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
}
