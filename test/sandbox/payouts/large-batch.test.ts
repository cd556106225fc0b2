import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { FAST, itemFor, Payouts } from './payout-helpers.js';

const ITEMS = 10_000;

describe('a batch of 10,000 items', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(async () => {
    await sandbox.configure(FAST);
  });

  it('is accepted in one call, paid item by item over a restart, and each item once', async () => {
    const payouts = new Payouts(sandbox);
    const items = Array.from({ length: ITEMS }, (_, index) =>
      itemFor(`payee-${index}${index % 100 === 0 ? '+failed' : ''}@example.com`, {
        sender_item_id: `item-${index}`,
        note: 'Thank you for your work.',
      }),
    );
    const created = await payouts.create(items, { sender_batch_id: 'large' });
    expect(created.status).toBe(201);
    const id: string = created.body.batch_header.payout_batch_id;
    await payouts.reaches(id, ['PROCESSING', 'SUCCESS']);
    await sandbox.restart();
    await payouts.reaches(id, ['SUCCESS']);

    const batch = await payouts.get(id, '?page=10&total_required=true');
    expect(batch).toMatchObject({
      total_items: ITEMS,
      total_pages: 10,
      batch_header: { amount: { value: '100000.00', currency: 'USD' } },
    });
    expect(batch.items).toHaveLength(1_000);
    expect(
      await sandbox.sql(
        'SELECT kind, count(*)::integer AS count FROM book_entries GROUP BY kind ORDER BY kind',
      ),
    ).toEqual([
      { kind: 'payout', count: ITEMS },
      { kind: 'payout_return', count: ITEMS / 100 },
    ]);
    expect(
      await sandbox.sql('SELECT resource_type, count(*)::integer AS count FROM events GROUP BY 1 ORDER BY 1'),
    ).toEqual([
      { resource_type: 'payouts', count: 2 },
      { resource_type: 'payouts_item', count: ITEMS },
    ]);
    expect(await sandbox.violations()).toEqual([]);
  });
});
