import { z } from 'zod';

/**
 * Names fields of an answer: `state`, `transactions[].related_resources[0].authorization.state` (`[]`: each one of a
 * list), or `**.state` for every field of that name, however deep.
 */
export const fieldPath = z
  .string()
  .max(200)
  .regex(/^(\*\*\.)?\w+(\[\d*\])*(\.\w+(\[\d*\])*)*$/, 'Not a path such as transactions[].amount.total')
  .refine((path) => !path.includes('__proto__'), 'Not a path such as transactions[].amount.total');

/** What becomes of the field `key` of `parent`, which may be a list. */
export type FieldChange = (parent: Record<string, unknown>, key: string) => void;

/** Applies `change` wherever `path` leads in `document`; where a step on the way is missing, nothing happens. */
export function changeFields(document: unknown, path: string, change: FieldChange): void {
  const isAnywhere = path.startsWith('**.');
  const steps = (isAnywhere ? path.slice(3) : path).replaceAll('[', '.[').split('.');
  for (const start of isAnywhere ? objectsIn(document) : [document]) follow(start, steps, change);
}

function follow(node: unknown, [step = '', ...later]: string[], change: FieldChange): void {
  if (!isObject(node)) return;
  for (const key of keysOf(node, step)) {
    if (later.length === 0) change(node, key);
    else follow(node[key], later, change);
  }
}

function keysOf(node: Record<string, unknown>, step: string): string[] {
  if (!step.startsWith('[')) return Array.isArray(node) ? [] : [step];
  if (!Array.isArray(node)) return [];
  return step === '[]' ? Object.keys(node) : [step.slice(1, -1)];
}

function objectsIn(node: unknown): unknown[] {
  return isObject(node) ? [node, ...Object.values(node).flatMap(objectsIn)] : [];
}

function isObject(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null;
}
