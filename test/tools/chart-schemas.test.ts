import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { kubernetesVersions, strict } from '#tools/chart/schemas.js';
import { projectRoot } from '#tools/project.js';

/** Whether a resource with this definition may be like this. */
function takes(definition: Parameters<typeof strict>[0], resource: object): boolean {
  return new Ajv({ strict: false }).compile(strict(definition) as object)(resource);
}

it('a field that an operator does not know is refused, at any depth', () => {
  const spec = { type: 'object', properties: { port: { type: 'integer' } } };
  const definition = { type: 'object', properties: { specs: { type: 'array', items: spec } } };
  expect(takes(definition, { specs: [{ port: 1 }] })).toBe(true);
  expect(takes(definition, { specs: [{ prot: 1 }] })).toBe(false);
  expect(takes(definition, { spec: [] })).toBe(false);
});

it('fields of any name are taken where the definition says so', () => {
  const properties = { a: { type: 'string' } };
  expect(takes({ type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true }, { b: 1 })).toBe(
    true,
  );
  expect(takes({ type: 'object', additionalProperties: { type: 'string' } }, { b: 'x' })).toBe(true);
});

it('a number or a text is taken for what may be both', () => {
  const definition = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  expect([takes(definition, 80 as never), takes(definition, 'http' as never)]).toEqual([true, true]);
});

it('the chart is checked for the oldest Kubernetes that it allows', () => {
  const chart = readFileSync(join(projectRoot, 'deploy/helm/payment-lifecycle-engine/Chart.yaml'), 'utf8');
  expect(chart).toContain(`kubeVersion: '>=${kubernetesVersions[0]}-0'`);
});
