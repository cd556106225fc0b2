import type { Kysely, KyselyPlugin, QueryId } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessTokens } from '#sandbox/applications/access-tokens.js';
import { openDatabase } from '#sandbox/database/connect.js';
import type { Tables } from '#sandbox/database/tables.js';
import { forEachTest } from '../helpers/shared.js';
import { CLIENT_ID, SandboxFixture } from './sandbox-fixture.js';

/** Keeps back the answers of one kind of statement, after the database has carried it out. */
class HeldAnswers implements KyselyPlugin {
  readonly #kinds = new WeakMap<QueryId, string>();
  readonly isAnswered: Promise<void>;
  release: () => void = () => undefined;
  #answered: () => void = () => undefined;
  readonly #isReleased = new Promise<void>((resolve) => (this.release = resolve));

  constructor(private readonly kind: string) {
    this.isAnswered = new Promise((resolve) => (this.#answered = resolve));
  }

  transformQuery: KyselyPlugin['transformQuery'] = ({ node, queryId }) => {
    this.#kinds.set(queryId, node.kind);
    return node;
  };

  transformResult: KyselyPlugin['transformResult'] = async ({ result, queryId }) => {
    if (this.#kinds.get(queryId) === this.kind) {
      this.#answered();
      await this.#isReleased;
    }
    return result;
  };
}

describe('a token that is revoked', () => {
  let database: Kysely<Tables>;
  const sandbox = forEachTest(() => SandboxFixture.start());
  beforeEach(async () => {
    database = await openDatabase(sandbox.database.url, 4, pino({ level: 'silent' }));
  });
  afterEach(async () => {
    await database.destroy();
  });

  it('while it is read is not cached', async () => {
    const token = await new AccessTokens(database).issue(CLIENT_ID, new Date());
    const held = new HeldAnswers('SelectQueryNode');
    const tokens = new AccessTokens(database.withPlugin(held));
    const reading = tokens.holderOf(token, new Date());
    await held.isAnswered;
    await tokens.revokeAll(CLIENT_ID);
    held.release();
    await reading;
    expect(await tokens.holderOf(token, new Date())).toBeUndefined();
  });

  it('while it is issued is not cached', async () => {
    const held = new HeldAnswers('InsertQueryNode');
    const tokens = new AccessTokens(database.withPlugin(held));
    const issuing = tokens.issue(CLIENT_ID, new Date());
    await held.isAnswered;
    await tokens.revokeAll(CLIENT_ID);
    held.release();
    expect(await tokens.holderOf(await issuing, new Date())).toBeUndefined();
  });

  it('is removed from the cache even when the answer of the database gets lost', async () => {
    const lost: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) =>
        result.numAffectedRows !== undefined && result.numAffectedRows > 1n
          ? Promise.reject(new Error('Connection terminated unexpectedly'))
          : Promise.resolve(result),
    };
    const tokens = new AccessTokens(database.withPlugin(lost));
    const [token] = [await tokens.issue(CLIENT_ID, new Date()), await tokens.issue(CLIENT_ID, new Date())];
    await expect(tokens.revokeAll(CLIENT_ID)).rejects.toThrow('terminated');
    expect(await tokens.holderOf(token, new Date())).toBeUndefined();
  });
});
