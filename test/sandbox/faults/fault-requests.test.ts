import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

describe('a request to switch a fault on', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  it.each([
    [{ kind: 'explode' }, 'kind'],
    [{}, 'kind'],
    [{ kind: 'delay' }, 'delayMs'],
    [{ kind: 'delay', delayMs: -1 }, 'delayMs'],
    [{ kind: 'delay', delayMs: '7' }, 'delayMs'],
    [{ kind: 'status', status: 200 }, 'status'],
    [{ kind: 'status', status: 503, retryAfter: 1e9 }, 'retryAfter'],
    [{ kind: 'drop_reply', operation: 'nothing' }, 'operation'],
    [{ kind: 'drop_reply', colour: 'red' }, 'colour'],
    [{ kind: 'drop_reply', nth: 0 }, 'nth'],
    [{ kind: 'drop_reply', times: 0 }, 'times'],
    [{ kind: 'drop_reply', probability: 1.5 }, 'probability'],
    [{ kind: 'drop_reply', clientId: 'a\u0000b' }, 'body'],
    [{ kind: 'drop_reply', eventType: 'PAYMENT.SALE.COMPLETED' }, 'eventType'],
    [{ kind: 'drop_delivery', eventType: 'NO.SUCH.EVENT' }, 'eventType'],
    [{ kind: 'drop_delivery', operation: 'payment.get' }, 'operation'],
    [{ kind: 'stale_read', lagMs: 30_001 }, 'lagMs'],
    [{ kind: 'stale_read', lagMs: 1_000, operation: 'payment.create' }, 'operation'],
    [{ kind: 'poison', operation: 'payment.get' }, 'operation'],
    [{ kind: 'poison', name: 'NO_SUCH_ERROR' }, 'name'],
    [{ kind: 'decline', operation: 'payment.get' }, 'operation'],
    [{ kind: 'status', status: 500, operation: 'agreement.cycle' }, 'operation'],
    [{ kind: 'unknown_enum', field: 'a..b' }, 'field'],
    [{ kind: 'unknown_enum', field: 'a.__proto__.b' }, 'field'],
    [{ kind: 'reshape' }, 'remove'],
    [{ kind: 'reshape', remove: ['['] }, 'remove[0]'],
    [{ kind: 'reshape', add: { 'links[4294967290]': 1 } }, 'add.links[4294967290]'],
    [{ kind: 'reshape', remove: ['links[1000]'] }, 'remove[0]'],
    [{ kind: 'unknown_enum', field: 'links[1000].rel' }, 'field'],
    [{ kind: 'unknown_enum', field: `**${'.a'.repeat(21)}` }, 'field'],
    [{ kind: 'reshape', add: { a: 'x'.repeat(4_001) } }, 'add'],
    [
      { kind: 'reshape', add: Object.fromEntries(Array.from('abcdefghijklmnopqrstu', (name) => [name, 1])) },
      'add',
    ],
    [{ kind: 'garbage', contentType: 'text/html\r\nx-evil: 1' }, 'contentType'],
    [{ kind: 'garbage', status: 100 }, 'status'],
    [{ kind: 'drip', everyMs: 0 }, 'everyMs'],
    [{ kind: 'duplicate_delivery', copies: 1_000 }, 'copies'],
    [{ kind: 'corrupt_delivery', part: 'everything' }, 'part'],
    [[{ kind: 'drop_reply' }], 'body'],
    ['"drop_reply"', 'body'],
  ])('is refused, naming the field, when it is invalid: %j', async (fault, field) => {
    const { status, body } = await sandbox.request('POST', '/admin/faults', fault);
    expect(status).toBe(400);
    if (body.name === 'MALFORMED_REQUEST') expect(field).toBe('body');
    else expect(body.details[0].field).toBe(field);
    expect((await sandbox.request('GET', '/admin/faults')).body.faults).toEqual([]);
  });

  it('is answered with an id, by which the fault is found and switched off', async () => {
    const settings = { kind: 'status', status: 500, operation: 'payment.list', times: null };
    const { body } = await sandbox.request('POST', '/admin/faults', settings);
    const other = await sandbox.request('POST', '/admin/faults', { kind: 'drop_delivery' });
    expect((await sandbox.request('GET', '/admin/faults')).body.faults).toMatchObject([
      { id: body.id, ...settings, remaining: null, matches: 0 },
      { id: other.body.id, kind: 'drop_delivery', remaining: 1 },
    ]);
    expect((await sandbox.call('GET', '/v1/payments/payment')).status).toBe(500);
    expect((await sandbox.request('DELETE', `/admin/faults/${body.id}`)).status).toBe(204);
    expect((await sandbox.call('GET', '/v1/payments/payment')).status).toBe(200);
    expect((await sandbox.request('DELETE', `/admin/faults/${body.id}`)).status).toBe(404);
    expect((await sandbox.request('DELETE', '/admin/faults/%00')).status).toBe(404);
    await sandbox.request('DELETE', '/admin/faults');
  });
});
