import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** OWASP ASVS 5.0.0: how many requirements of levels 1 and 2 each section has. Those of level 3 come after them. */
const sections = `
  1.1×2 1.2×9 1.3×11 1.4×3 1.5×2 2.1×3 2.2×3 2.3×4 2.4×1 3.2×2 3.3×4 3.4×6 3.5×5 3.7×2 4.1×3 4.2×1
  4.3×2 4.4×4 5.1×1 5.2×3 5.3×2 5.4×3 6.1×3 6.2×12 6.3×4 6.4×4 6.5×5 6.6×3 6.8×4 7.1×3 7.2×4 7.3×2
  7.4×5 7.5×2 7.6×2 8.1×2 8.2×3 8.3×1 8.4×1 9.1×3 9.2×4 10.1×2 10.2×2 10.3×4 10.4×11 10.5×5 10.6×2
  10.7×3 11.1×2 11.2×3 11.3×3 11.4×4 11.5×1 11.6×1 12.1×3 12.2×2 12.3×4 13.1×1 13.2×5 13.3×2 13.4×5
  14.1×2 14.2×4 14.3×3 15.1×3 15.2×3 15.3×7 16.1×1 16.2×5 16.3×4 16.4×3 16.5×3 17.1×1 17.2×4 17.3×2
`;
const requirements = [...sections.matchAll(/(\d+\.\d+)×(\d+)/g)].flatMap(([, section, count]) =>
  Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
);

/** An item of a chapter: ids, the verdict, and how it is shown. */
interface Item {
  readonly ids: readonly string[];
  readonly verdict: string;
  readonly proof: string;
}

const items: readonly Item[] = text
  .split(/\n(?=- |\n)/)
  .map((part) => part.trim().replaceAll(/\s+/g, ' '))
  .flatMap((part) => {
    const [, ids = '', verdict, proof = ''] =
      /^- ((?:\d+\.\d+\.\d+(?:, )?)+): \*\*(met|open|does not apply)\*\*(.*)$/.exec(part) ?? [];
    return verdict === undefined ? [] : [{ ids: ids.split(', '), verdict, proof }];
  });

it('the requirements of levels 1 and 2 are each there once, in order of their chapters', () => {
  expect(requirements).toHaveLength(253);
  const named = items.flatMap(({ ids }) => ids);
  expect(named.toSorted()).toEqual(requirements.toSorted());
  const chapters = named.map((id) => Number(id.split('.')[0]));
  expect(chapters).toEqual(chapters.toSorted((left, right) => left - right));
});

it('what is open or does not apply says why', () => {
  const bare = items.filter(({ verdict, proof }) => verdict !== 'met' && proof.length < 20);
  expect(bare).toEqual([]);
});

describe.each(items.filter(({ proof }) => proof.includes('](../')))('$ids', ({ proof }) => {
  const links = [...proof.matchAll(/\]\(\.\.\/([^)#]+)[^)]*\)([^\]]*)/g)];

  it.each(links.map(([, path = '', rest = '']) => ({ path, rest })))('$path', ({ path, rest }) => {
    expect(existsSync(join(root, path))).toBe(true);
    const file = readFileSync(join(root, path), 'utf8');
    for (const [, name = ''] of rest.matchAll(/"([^"]+)"/g)) expect(file).toContain(name);
  });
});
