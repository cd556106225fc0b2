import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import type { Corruption } from './corruption.js';
import { keepBooks, type Kept } from './legal-books.js';
import { MOVEMENT_CORRUPTIONS } from './movement-corruptions.js';
import { STATE_CORRUPTIONS } from './state-corruptions.js';

/** What names one row, also while one of its other columns is corrupt. */
const KEYS: Readonly<Record<string, readonly string[]>> = { book_postings: ['entry_id', 'amount_minor'] };

describe('the check of the books reports', () => {
  let database: Client;
  let kept: Kept;
  const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: 3_600_000 }));
  beforeAll(async () => {
    database = new Client({ connectionString: sandbox.database.url });
    await database.connect();
    kept = await keepBooks(sandbox);
    expect(await sandbox.violations()).toEqual([]);
  });
  afterAll(async () => {
    await database.end();
  });

  const withIds = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `'${kept[name] ?? 'missing'}'`);

  /** Writes one wrong value; answers what to write to undo it. */
  async function corrupt({ table, column, ...raw }: Corruption): Promise<() => Promise<void>> {
    const value = withIds(raw.value);
    const condition = withIds(raw.where);
    const keys = KEYS[table] ?? ['id'];
    const { rows } = await database.query<Record<string, unknown>>(
      `SELECT ${[...keys, column].join(', ')} FROM ${table} WHERE ${condition}`,
    );
    expect(rows).toHaveLength(1);
    const [row = {}] = rows;
    await database.query(`UPDATE ${table} SET ${column} = ${value} WHERE ${condition}`);
    const key = keys.map((name, index) => `${name} = $${index + 2}`).join(' AND ');
    return async () => {
      const values = [row[column], ...keys.map((name) => row[name])];
      await database.query(`UPDATE ${table} SET ${column} = $1 WHERE ${key}`, values);
    };
  }

  it.each([...MOVEMENT_CORRUPTIONS, ...STATE_CORRUPTIONS])('$name', async (corruption) => {
    const undo = await corrupt(corruption);
    const reported = await sandbox.violations();
    await undo();
    expect(reported).toContainEqual({ rule: corruption.rule, subject: expect.any(String) });
    expect(await sandbox.violations()).toEqual([]);
  });
});
