import { beforeAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { planBody, PLANS } from './subscription-calls.js';

const sandbox = forAllTests(() => SandboxFixture.start());

const namesIn = (body: { plans: { name: string }[] }) => body.plans.map(({ name }) => name);

describe('listing', () => {
  let lister: Record<string, string>;
  const names: string[] = [];

  beforeAll(async () => {
    await sandbox.request('PUT', '/admin/applications/lister', { clientSecret: 'lister-secret' });
    lister = { authorization: `Bearer ${await sandbox.newToken('lister', 'lister-secret')}` };
    for (let number = 0; number < 7; number += 1) {
      const created = await sandbox.request('POST', PLANS, planBody({ name: `Plan ${number}` }), lister);
      const state = ['CREATED', 'ACTIVE', 'DELETED'][number < 4 ? 0 : number - 4];
      await sandbox.request(
        'PATCH',
        `${PLANS}/${created.body.id}`,
        [{ op: 'replace', path: '/', value: { state } }],
        lister,
      );
      names.unshift(`Plan ${number}`);
    }
  });

  const list = (query: string) => sandbox.request('GET', `${PLANS}/${query}`, undefined, lister);

  test('shows created plans, the newest first, when no status is asked for', async () => {
    const { status, body } = await list('');
    expect([status, namesIn(body)]).toEqual([200, ['Plan 4', 'Plan 3', 'Plan 2', 'Plan 1', 'Plan 0']]);
    expect(body).not.toHaveProperty('total_items');
    expect(body.plans[0]).not.toHaveProperty('payment_definitions');
    expect(namesIn((await list('?status=active')).body)).toEqual(['Plan 5']);
    expect(namesIn((await list('?status=ALL')).body)).toEqual(names.slice(1));
    expect((await list('?status=DELETED')).status).toBe(400);
  });

  test('shows its pages by their links, and counts on request', async () => {
    const first = (await list('?page_size=2&total_required=yes')).body;
    expect([first.total_items, first.total_pages]).toEqual(['5', '3']);
    const seen = namesIn(first);
    let page = first;
    for (;;) {
      const next = page.links.find((link: { rel: string }) => link.rel === 'next_page');
      if (next === undefined) break;
      const { pathname, search } = new URL(next.href);
      page = (await sandbox.request('GET', pathname + search, undefined, lister)).body;
      seen.push(...namesIn(page));
    }
    expect(seen).toEqual(['Plan 4', 'Plan 3', 'Plan 2', 'Plan 1', 'Plan 0']);
  });

  test.each(['?page=-1', '?page_size=21', '?page_size=x', '?total_required=maybe'])(
    'refuses %s',
    async (query) => {
      expect((await list(query)).status).toBe(400);
    },
  );
});
