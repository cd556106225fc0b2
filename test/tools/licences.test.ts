import { expect, it } from 'vitest';
import { billOfMaterials, judgeLicences } from '#tools/licences.js';

/** As `npm sbom` writes them. */
const judge = (...components: object[]) => judgeLicences(billOfMaterials.parse({ components }));
const named = (name: string, ...licenses: object[]) => ({ name, version: '1.0.0', licenses });
const mit = { license: { id: 'MIT' } };

it('allows licences that ask to be named only, and counts them', () => {
  const { counts, refused } = judge(named('a', mit), named('b', mit), named('c', { license: { id: 'ISC' } }));
  expect([Object.fromEntries(counts), refused]).toEqual([{ MIT: 2, ISC: 1 }, []]);
});

it.each([
  ['a copyleft licence', [{ license: { id: 'GPL-3.0-only' } }], 'GPL-3.0-only'],
  ['one of two', [mit, { license: { id: 'SSPL-1.0' } }], 'MIT, SSPL-1.0'],
  ['an expression that nobody has read', [{ expression: 'MIT OR GPL-2.0' }], 'MIT OR GPL-2.0'],
  ['a name that is no SPDX id', [{ license: { name: 'SEE LICENSE' } }], 'SEE LICENSE'],
  ['no licence', [], 'no licence'],
])('refuses %s', (_case, licenses, shown) => {
  expect(judge(named('package', ...licenses)).refused).toEqual([`package@1.0.0: ${shown}`]);
});

it('takes a licence that was read by hand for that version only', () => {
  expect(judge({ name: 'unionfs', version: '4.6.0' }).refused).toEqual([]);
  expect(judge({ name: 'unionfs', version: '4.7.0' }).refused).toHaveLength(1);
});
