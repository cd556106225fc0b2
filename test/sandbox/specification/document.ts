import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Section } from './rows.js';

/** One row of a table, or one numbered rule, as the document has it. */
export interface DocumentRow {
  /** First cell, or those that tell the row from the others; `rule <n>` for a numbered rule. */
  key: string;
  /** Over the whole row, so that a changed type or note is noticed as a missing row is. */
  fingerprint: string;
}

const path = fileURLToPath(new URL('../../../../shared/payments-service-interface.md', import.meta.url));

/** Cells that identify a row: all others may repeat. */
const CELLS_OF_KEY: Partial<Record<Section, number>> = { '3': 2, '4': 2 };
const SECTIONS_WITH_RULES: readonly Section[] = ['4', '5', '6'];

/** The specification beside the repository; `undefined` where the repository stands alone. */
export function readDocument(): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Rows of the tables and the numbered rules of one section, in the document’s order. */
export function rowsOf(document: string, section: Section): DocumentRow[] {
  const lines = textOf(document, section).split('\n');
  const rows = lines
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1))
    .filter((cells, index) => index > 1 && cells.length > 0)
    .map((cells) => {
      const trimmed = cells.map((cell) => cell.trim());
      return describeRow(trimmed.slice(0, CELLS_OF_KEY[section] ?? 1).join(' '), trimmed.join('|'));
    });
  const rules = lines
    .map((line) => /^(\d+)\. (.+)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, number, rule]) => describeRow(`rule ${number}`, rule ?? ''));
  return SECTIONS_WITH_RULES.includes(section) ? [...rows, ...rules] : rows;
}

/** Numbers of all sections that hold a table. */
export function sectionsWithTables(document: string): string[] {
  return document
    .split(/^(?=##)/m)
    .filter((part) => /^\|---/m.test(part))
    .map((part) => /^#+ (\d+(?:\.\d+)?)/.exec(part)?.[1] ?? part.slice(0, 40));
}

function textOf(document: string, section: Section): string {
  const heading = new RegExp(`^#+ ${section.replace('.', '\\.')}\\.? `);
  return document.split(/^(?=##)/m).find((part) => heading.test(part)) ?? '';
}

function describeRow(key: string, text: string): DocumentRow {
  return { key, fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 8) };
}
