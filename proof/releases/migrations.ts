import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { migrateDatabase } from '#database/connection';
import { migrations } from '#database/connection/migrations.js';
import type { Random } from '../faults/random.js';

/** What a later release may add while processes of this one work: docs/changing-the-schema.md. */
const expansions: readonly ((number: number) => string)[] = [
  (number) => `alter table payments add column release_${number} text`,
  (number) => `alter table commands add column release_${number} integer not null default 0`,
  (number) => `alter table attempts add column release_${number} timestamptz`,
  (number) => `alter table timeline add column release_${number} jsonb`,
  (number) => `create table release_${number} (id text primary key, at timestamptz)`,
  (number) => `create index release_${number} on refunds (created_at)`,
  (number) => `alter table payments add constraint release_${number} check (version >= 0) not valid`,
];

/** The steps of later releases, whose migrations no process of today knows. */
export class LaterMigrations {
  #known: Readonly<Record<string, Migration>> = migrations;
  #count = 0;

  constructor(
    private readonly databaseUrl: string,
    private readonly random: Random,
  ) {}

  /** Takes the step of a release that has one migration more. @returns its statement. */
  async addOne(): Promise<string> {
    const number = ++this.#count;
    const statement = this.random.pick(expansions)(number);
    const name = `${9_000 + number}-release`;
    const up: Migration['up'] = async (db) => void (await sql.raw(statement).execute(db));
    this.#known = { ...this.#known, [name]: { up } };
    await migrateDatabase(this.databaseUrl, this.#known);
    return statement;
  }
}
