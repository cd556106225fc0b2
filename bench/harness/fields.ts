import type { Measured } from './statistics.js';

/**
 * The figures by name and, by the same names in `spread`, their spreads, as one JSON object has them.
 *
 * @param summary a tree of measured figures; a plain number has no spread.
 */
export function fieldsOf(summary: object): object {
  return { ...map(summary, ({ value }) => value), spread: map(summary, ({ spread }) => spread) };
}

function map(tree: object, pick: (leaf: Measured) => unknown): object {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, node]: [string, unknown]) => {
      if (typeof node === 'number') return [[name, pick({ value: node, spread: [node, node] })]];
      if (isMeasured(node)) return [[name, pick(node)]];
      return [[name, map(node as object, pick)]];
    }),
  );
}

function isMeasured(node: unknown): node is Measured {
  return typeof node === 'object' && node !== null && 'spread' in node;
}
