import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument, rowsOf, sectionsWithTables } from './document.js';
import { ROWS, type Section } from './rows.js';

const sections = Object.keys(ROWS) as Section[];
const document = readDocument();
const byText = (one: string, other: string) => one.localeCompare(other);

describe('the specification suite', () => {
  it('asserts every section of the list, each in one place', () => {
    const folder = new URL('./', import.meta.url);
    const asserted = readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .flatMap((name) => [
        ...readFileSync(new URL(name, folder), 'utf8').matchAll(/^\s*describeSection\('([^']+)'/gm),
      ])
      .map(([, section]) => section ?? '');
    expect(asserted.toSorted(byText)).toEqual(sections.toSorted(byText));
  });

  describe.runIf(document !== undefined)('compared with its document', () => {
    it.each(sections)('lists each row of section %s as the document has it, once', (section) => {
      const rows = rowsOf(document ?? '', section);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(({ key, fingerprint }) => [key, fingerprint])).toEqual(Object.entries(ROWS[section]));
    });

    it('omits no table of the document', () => {
      expect(sectionsWithTables(document ?? '').filter((section) => !(section in ROWS))).toEqual([]);
    });
  });
});
