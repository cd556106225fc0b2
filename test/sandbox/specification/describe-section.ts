import { describe, expect, it } from 'vitest';
import { ROWS, type Section } from './rows.js';

type Assertion = () => Promise<void> | void;

/** One named test per row of a section; a row without an assertion does not compile, and fails. */
export function describeSection<Name extends Section>(
  section: Name,
  assertions: Readonly<Record<keyof (typeof ROWS)[Name], Assertion>>,
): void {
  const given: Readonly<Record<string, Assertion>> = assertions;
  describe(`section ${section}`, () => {
    it.each(Object.keys(ROWS[section]))(`${section} %s`, async (row) => {
      expect(Object.keys(given), 'no assertion for this row').toContain(row);
      await given[row]?.();
    });

    it('has no assertion without a row', () => {
      expect(Object.keys(given).sort()).toEqual(Object.keys(ROWS[section]).sort());
    });
  });
}
