import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Accounts } from '#sandbox/accounts/accounts.js';
import { openDatabase } from '#sandbox/database/connect.js';
import { forAllTests } from '../../helpers/shared.js';
import { PAYER_ID, SandboxFixture } from '../sandbox-fixture.js';

describe('the cached record of an account', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  it('is its row, even when the answer to the earlier of two changes comes later', async () => {
    const database = await openDatabase(sandbox.database.url, 4, pino({ level: 'silent' }));
    const held = new HeldUpdate();
    const accounts = new Accounts(database.withPlugin(held));
    await accounts.load();
    const { id } = await accounts.create({
      environment: 'sandbox',
      kind: 'business',
      email: 'made@example.com',
      country_code: 'GB',
      created_at: new Date(),
    });

    const first = accounts.update(id, { email: 'first@example.com' });
    await held.reached;
    const second = accounts.update(id, { email: 'second@example.com' });
    // Time enough for the second change, unless it waits for the first, as it should.
    const others = async () => {
      for (let change = 0; change < 20; change += 1)
        await database
          .updateTable('accounts')
          .set({ funding_declines: false })
          .where('id', '=', PAYER_ID)
          .execute();
    };
    await Promise.race([second, others()]);
    held.release();
    await Promise.all([first, second]);

    const [row] = await sandbox.sql(`SELECT email FROM accounts WHERE id = '${id}'`);
    expect(row).toEqual({ email: 'second@example.com' });
    expect(accounts.idOfEmail('sandbox', 'second@example.com')).toBe(id);
    expect(accounts.idOfEmail('sandbox', 'first@example.com')).not.toBe(id);
    await database.destroy();
  });
});

/** Keeps the database's answer to the first UPDATE back until it is released. */
class HeldUpdate implements KyselyPlugin {
  readonly #updates = new WeakSet<object>();
  readonly #arrived = Promise.withResolvers<void>();
  readonly #released = Promise.withResolvers<void>();
  #isFirst = true;

  get reached(): Promise<void> {
    return this.#arrived.promise;
  }

  release(): void {
    this.#released.resolve();
  }

  transformQuery({ queryId, node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    if (node.kind === 'UpdateQueryNode') this.#updates.add(queryId);
    return node;
  }

  async transformResult({ queryId, result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    if (this.#updates.has(queryId) && this.#isFirst) {
      this.#isFirst = false;
      this.#arrived.resolve();
      await this.#released.promise;
    }
    return result;
  }
}
