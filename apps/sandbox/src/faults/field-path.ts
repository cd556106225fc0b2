import { z } from 'zod';

/** The prefix of a name that is meant at any depth. */
const ANYWHERE = '**.';
/** Deeper than any answer of the interface. */
const MOST_STEPS = 20;

/**
 * Names fields of an answer: `state`, `transactions[].related_resources[0].authorization.state` (`[]`: each element of
 * a list), or `**.state` for every field of that name, at any depth. The indexes of a list end at 999.
 */
export const fieldPath = z
  .string()
  .max(200)
  .regex(
    /^(\*\*\.)?\w+(\[\d{0,3}\])*(\.\w+(\[\d{0,3}\])*)*$/,
    'Not a path such as transactions[].amount.total, with places from 0 to 999',
  )
  .refine((path) => stepsOf(path).length <= MOST_STEPS, `At most ${MOST_STEPS} steps deep`)
  .refine((path) => !path.includes('__proto__'), 'Not a path such as transactions[].amount.total');

/** The field `key` of `parent`, which may be a list; it may be missing. */
export interface Field {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

/** All fields that `path` names in `document`; none when a step on the way is missing. */
export function fieldsAt(document: unknown, path: string): Field[] {
  const starts = path.startsWith(ANYWHERE) ? objectsIn(document) : [document];
  return starts.flatMap((start) => follow(start, stepsOf(path)));
}

/** An index beyond the end of a list means its next one, so that a list grows only by what is added. */
export function setField({ parent, key }: Field, value: unknown): void {
  if (Array.isArray(parent)) parent[Math.min(Number(key), parent.length)] = value;
  else parent[key] = value;
}

function stepsOf(path: string): string[] {
  const place = path.startsWith(ANYWHERE) ? path.slice(ANYWHERE.length) : path;
  return place.replaceAll('[', '.[').split('.');
}

function follow(node: unknown, [step = '', ...later]: string[]): Field[] {
  if (!isObject(node)) return [];
  const keys = keysOf(node, step);
  if (later.length === 0) return keys.map((key) => ({ parent: node, key }));
  return keys.flatMap((key) => follow(node[key], later));
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
