import { z } from 'zod';

/** Licences that ask for no more than to be named (SPDX). Another one needs a decision, and then a line here. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/** Packages whose package.json names no licence, read by hand from their LICENSE file. */
const readByHand: Readonly<Record<string, string>> = { 'unionfs@4.6.0': 'Unlicense' };

const licence = z.union([
  z.object({ license: z.object({ id: z.string() }) }).transform(({ license }) => license.id),
  z.object({ license: z.object({ name: z.string() }) }).transform(({ license }) => license.name),
  z.object({ expression: z.string() }).transform(({ expression }) => expression),
]);

/** The part of a CycloneDX document that names licences. */
export const billOfMaterials = z.object({
  components: z
    .array(z.object({ name: z.string(), version: z.string(), licenses: z.array(licence).default([]) }))
    .min(1),
});

type BillOfMaterials = z.output<typeof billOfMaterials>;

/** @returns how many packages have each licence, and each package that has none or one that is not allowed. */
export function judgeLicences({ components }: BillOfMaterials) {
  const counts = new Map<string, number>();
  const refused: string[] = [];
  for (const { name, version, licenses } of components) {
    const identity = `${name}@${version}`;
    const found = licenses.length > 0 ? licenses : [readByHand[identity] ?? 'no licence'];
    for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1);
    if (found.some((each) => !allowed.has(each))) refused.push(`${identity}: ${found.join(', ')}`);
  }
  return { counts, refused };
}
