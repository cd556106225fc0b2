import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '#database/connection';
import type { AttemptRow } from '#database/schema';
import { freshIdentity, identityOfAttempt } from '#worker/steps/attempts/attempt-identity.js';

const place = { subjectId: 'pay_1', stepName: 'cmd_2', attemptNumber: 2 };

/** Answers the search for failed calls, of which each names the key that it is asked for. */
function databaseOf(failures: readonly { debug_id: string | null; key: string }[]): Database {
  class Driver extends DummyDriver {
    override async acquireConnection() {
      const connection = await super.acquireConnection();
      return {
        ...connection,
        executeQuery: async ({ parameters }: { parameters: readonly unknown[] }) => ({
          rows: failures
            .filter(({ key }) => parameters.includes('pay_1') && parameters.includes(key))
            .map(({ debug_id }) => ({ status: 500, code: 'INTERNAL_SERVER_ERROR', debug_id })),
        }),
        streamQuery: () => {
          throw new Error('nothing is streamed');
        },
      } as never;
    }
  }
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

const undone = (request_id: string) =>
  ({ request_id, reference: `pay_1-${request_id}`, outcome: 'undone' }) as AttemptRow;

describe('the identity of a repeat', () => {
  const repeated = { requestId: 'new', reference: 'pay_1-new' };

  it('is that of the latest attempt: a provider that carries out both makes one movement', async () => {
    const earlier = [undone('old'), undone('new')];
    expect(await identityOfAttempt(databaseOf([]), place, earlier)).toEqual(repeated);
  });

  it('is another one where the provider keeps a failure under the key', async () => {
    const twice = [
      { debug_id: 'a', key: 'new' },
      { debug_id: 'a', key: 'new' },
    ];
    expect(await identityOfAttempt(databaseOf(twice), place, [undone('new')])).toEqual(freshIdentity(place));
  });

  it('stays where only an earlier key was such, or was undone besides', async () => {
    const unnamed = { debug_id: null, key: 'new' };
    const failures = [{ debug_id: 'a', key: 'old' }, { debug_id: 'a', key: 'old' }, unnamed, unnamed];
    const earlier = [undone('old'), undone('old'), undone('new')];
    expect(await identityOfAttempt(databaseOf(failures), place, earlier)).toEqual(repeated);
    const twiceUndone = [...earlier, undone('new')];
    expect(await identityOfAttempt(databaseOf(failures), place, twiceUndone)).toEqual(freshIdentity(place));
  });

  it('does not exist for a first attempt, which no call can have failed under', async () => {
    const failed = [
      { debug_id: 'a', key: 'new' },
      { debug_id: 'a', key: 'new' },
    ];
    expect(await identityOfAttempt(databaseOf(failed), place, [])).toEqual(freshIdentity(place));
  });
});
