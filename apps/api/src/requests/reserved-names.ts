/** Names by which an object of JavaScript reaches its class; Nest's own pipe would drop them without a word. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** @returns the path of each field with such a name, at any depth of a document. */
export function reservedNamesIn(document: unknown): (readonly string[])[] {
  if (typeof document !== 'object' || document === null) return [];
  const found: (readonly string[])[] = [];
  for (const [name, value] of Object.entries(document)) {
    if (reserved.has(name)) found.push([name]);
    else for (const path of reservedNamesIn(value)) found.push([name, ...path]);
  }
  return found;
}
