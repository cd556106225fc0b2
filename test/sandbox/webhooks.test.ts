import { describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { CLIENT_ID, CLIENT_SECRET, SandboxFixture } from './sandbox-fixture.js';

const PATH = '/v1/notifications/webhooks';
const AUTHORIZED = { name: 'PAYMENT.AUTHORIZATION.CREATED' };

describe('webhooks', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const create = (url: string, event_types: object[] = [AUTHORIZED]) =>
    sandbox.call('POST', PATH, { url, event_types });
  const deleteAll = async () => {
    const { body } = await sandbox.call('GET', PATH);
    for (const { id } of body.webhooks) await sandbox.call('DELETE', `${PATH}/${id}`, {});
  };

  it('are created, read, listed and deleted, with the links that section 2.3 names, in both spellings', async () => {
    const { status, body } = await create('https://example.com/hook');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      url: 'https://example.com/hook',
      event_types: [{ name: 'PAYMENT.AUTHORIZATION.CREATED', description: expect.any(String) }],
    });
    const href = `${sandbox.url}${PATH}/${body.id}`;
    const inThisCase = (turn: (rel: string) => string) => [
      { rel: turn('SELF'), method: 'GET', href },
      { rel: turn('UPDATE'), method: 'PATCH', href },
      { rel: turn('DELETE'), method: 'DELETE', href },
    ];
    expect(body.links).toEqual([...inThisCase((rel) => rel), ...inThisCase((rel) => rel.toLowerCase())]);
    expect((await sandbox.call('GET', `${PATH}/${body.id}`)).body).toEqual(body);
    expect((await sandbox.call('GET', `${PATH}/`)).body).toEqual({ webhooks: [body] });
    expect((await sandbox.call('DELETE', `${PATH}/${body.id}`, {})).status).toBe(204);
    expect((await sandbox.call('GET', `${PATH}/${body.id}`)).body.name).toBe('INVALID_RESOURCE_ID');
  });

  it('take a new address and new event types', async () => {
    const { body } = await create('https://example.com/old');
    const patch = (changes: unknown) => sandbox.call('PATCH', `${PATH}/${body.id}`, changes);
    const url = { op: 'replace', path: '/url', value: 'https://example.com/new' };
    const types = { op: 'replace', path: '/event_types', value: [{ name: '*' }] };
    const changed = await patch([url, types]);
    expect(changed).toMatchObject({
      status: 200,
      body: { url: 'https://example.com/new', event_types: [{ name: '*' }] },
    });
    expect((await patch([url])).body.name).toBe('WEBHOOK_PATCH_REQUEST_NO_CHANGE');
    expect((await patch([{ ...url, op: 'remove' }])).body.name).toBe('VALIDATION_ERROR');
    expect((await patch([{ ...url, path: '/id' }])).body.name).toBe('VALIDATION_ERROR');
    const subscribed = await sandbox.call('GET', `${PATH}/${body.id}/event-types`);
    const available = await sandbox.call('GET', '/v1/notifications/webhooks-event-types');
    expect(subscribed.body).toEqual(available.body);
    await deleteAll();
  });

  it('are refused with a used address, an unknown event type, or no address', async () => {
    await create('https://example.com/twice');
    expect((await create('https://example.com/twice')).body.name).toBe('WEBHOOK_URL_ALREADY_EXISTS');
    expect((await create('https://example.com/x', [{ name: 'NO.SUCH.EVENT' }])).body.details).toEqual([
      { field: 'event_types[0].name', issue: 'Not a valid webhook event name' },
    ]);
    expect((await create('ftp://example.com')).body.details[0].field).toBe('url');
    await deleteAll();
  });

  it('may have addresses as long as 2,048 characters of any script, each once', async () => {
    const body = (factor: number) => ({
      url: longUrl(factor),
      event_types: [{ name: 'PAYMENT.SALE.DENIED' }],
    });
    const first = await sandbox.call('POST', PATH, body(1));
    expect(first).toMatchObject({ status: 201, body: { url: longUrl(1) } });
    expect((await sandbox.call('POST', PATH, body(1))).body.name).toBe('WEBHOOK_URL_ALREADY_EXISTS');
    const second = await sandbox.call('POST', PATH, body(2));
    expect(second.status).toBe(201);
    const replace = [{ op: 'replace', path: '/url', value: longUrl(1) }];
    expect((await sandbox.call('PATCH', `${PATH}/${second.body.id}`, replace)).body.name).toBe(
      'WEBHOOK_URL_ALREADY_EXISTS',
    );
    for (const { id } of [first.body, second.body]) await sandbox.call('DELETE', `${PATH}/${id}`);
  });

  it('are at most 10 for an account, also when created at the same moment by two of its applications', async () => {
    await sandbox.configure({ accountId: 'SHARED' });
    await sandbox.request('PUT', '/admin/applications/second', {
      clientSecret: 'second',
      accountId: 'SHARED',
    });
    const second = { authorization: `Bearer ${await sandbox.newToken('second', 'second')}` };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => {
        const body = { url: `https://example.com/${index}`, event_types: [AUTHORIZED] };
        return sandbox.call('POST', PATH, body, index % 2 === 0 ? {} : second);
      }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(({ body }) => body.name)).toEqual(Array(6).fill('WEBHOOK_NUMBER_LIMIT_EXCEEDED'));
    await deleteAll();
  });

  it('belong to one application: another sees none of them', async () => {
    const { body } = await create('https://example.com/mine');
    await sandbox.request('PUT', '/admin/applications/third', { clientSecret: 'third' });
    const third = { authorization: `Bearer ${await sandbox.newToken('third', 'third')}` };
    expect((await sandbox.call('GET', PATH, undefined, third)).body).toEqual({ webhooks: [] });
    for (const method of ['GET', 'DELETE']) {
      expect((await sandbox.call(method, `${PATH}/${body.id}`, undefined, third)).status).toBe(404);
    }
    expect(await sandbox.exchange(CLIENT_ID, CLIENT_SECRET)).toMatchObject({ status: 200 });
  });
});

/** Of signs that do not compress; `factor` makes one differ from another. */
function longUrl(factor: number): string {
  const signs = Array.from({ length: 2_000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * factor * 7_919) % 20_000)),
  );
  return `https://hooks.example/${signs.join('')}`;
}
