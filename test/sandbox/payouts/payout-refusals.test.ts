import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { batchOf, itemFor, PATH } from './payout-helpers.js';

describe('a payout batch', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  it.each<[string, object, string, string]>([
    ['no items', batchOf([]), 'items', ''],
    ['no header', { items: [itemFor('a@example.com')] }, 'sender_batch_header', 'Required'],
    [
      'an unknown field',
      batchOf([itemFor('a@example.com', { colour: 'red' })]),
      'items[0].colour',
      'Unknown',
    ],
    ['no amount', batchOf([itemFor('a@example.com', { amount: undefined })]), 'items[0].amount', 'Required'],
    ['nothing to pay', batchOf([withValue('0.00')]), 'items[0].amount.value', 'more than zero'],
    ['a negative amount', batchOf([withValue('-1.00')]), 'items[0].amount.value', 'decimal'],
    ['too many decimals', batchOf([withValue('1.234')]), 'items[0].amount.value', 'decimal places'],
    ['a number beyond decimals', batchOf([withValue(1e-7)]), 'items[0].amount.value', 'decimal'],
    ['decimals of JPY', batchOf([withValue('1.5', 'JPY')]), 'items[0].amount.value', 'decimal places'],
    ['an unknown currency', batchOf([withValue('1.00', 'XXX')]), 'items[0].amount.currency', 'Currency'],
    [
      'two currencies',
      batchOf([withValue('1.00', 'USD'), withValue('1.00', 'EUR')]),
      'items[1].amount.currency',
      'same currency',
    ],
    ['no e-mail address', batchOf([itemFor('nobody')]), 'items[0].receiver', 'does not match'],
    [
      'no recipient type',
      batchOf([{ receiver: 'a@example.com', amount: { value: '1', currency: 'USD' } }]),
      'items[0].recipient_type',
      'Required',
    ],
    [
      'a total beyond what can be counted',
      batchOf(Array.from({ length: 1_000 }, () => withValue('9999999999', 'KWD'))),
      'items',
      'too large',
    ],
  ])('is refused with %s', async (_, body, field, issue) => {
    const answer = await sandbox.call('POST', PATH, body);
    expect(answer).toMatchObject({ status: 400, body: { name: 'VALIDATION_ERROR' } });
    expect(answer.body.details).toContainEqual({ field, issue: expect.stringContaining(issue) });
  });

  it('of more items than 15,000 is refused, and none of it is kept', async () => {
    const answer = await sandbox.call(
      'POST',
      PATH,
      batchOf(Array.from({ length: 15_001 }, () => withValue('1.00'))),
    );
    expect(answer.body.details[0].field).toBe('items');
    expect(await sandbox.sql('SELECT id FROM payout_items')).toEqual([]);
  });

  it('may be large, unlike every other call', async () => {
    const note = 'x'.repeat(3_000);
    const items = Array.from({ length: 200 }, () => itemFor('a@example.com', { note }));
    expect((await sandbox.call('POST', PATH, batchOf(items))).status).toBe(201);
    expect((await sandbox.call('POST', '/v1/payments/payment', batchOf(items))).status).toBe(413);
  });
});

function withValue(value: unknown, currency = 'USD'): object {
  return itemFor('a@example.com', { amount: { value, currency } });
}
