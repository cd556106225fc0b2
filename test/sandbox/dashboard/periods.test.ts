import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { until } from '../../helpers/until.js';
import { SandboxFixture } from '../sandbox-fixture.js';

const sandbox = forAllTests(() => SandboxFixture.start());
beforeAll(async () => {
  await sandbox.authorized();
  // A call is on record a moment after it was answered.
  await until(
    () => calls(''),
    (count) => count > 0,
    'the calls to be on record',
  );
  await sandbox.sql(`UPDATE events SET created_at = '2026-01-31T23:59:59.900Z'`);
  await sandbox.sql(`UPDATE calls SET started_at = '2026-01-31T23:59:59.900Z'`);
});

const reported = 'PAYMENT.AUTHORIZATION.CREATED</a>';
const calls = async (query: string) =>
  (await sandbox.request('GET', `/admin/calls?${query}`)).body.calls.length;
/** Names and values of the form's fields, as the browser would send them. */
const fieldsOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<input\b[^>]*?name="(\w+)"[^>]*?value="([^"]*)"/gs)].map(([, name, value]) => [
      name ?? '',
      value ?? '',
    ]),
  );
const typeOf = (page: string, name: string) =>
  new RegExp(`name="${name}"\\s+type="([a-z-]+)"`).exec(page)?.[1];
const events = async (query: string) => await sandbox.request('GET', `/dashboard/events?${query}`);

describe('the dates of a search on the webhooks dashboard', () => {
  it.each<[string, boolean]>([
    ['from=2026-01-31', true],
    ['to=2026-01-31', true],
    ['from=2026-01-31&to=2026-01-31', true],
    ['from=2026-01-31T23:59:59&to=2026-02-01', true],
    ['from=2026-02-01', false],
    ['to=2026-01-30', false],
    ['from=2026-01-31T00:00&to=2026-01-31T23:59', false],
    ['from=&to=', true],
  ])('are days as well as instants: %s', async (query, isFound) => {
    const { status, body } = await events(query);
    expect([status, body.includes(reported)]).toEqual([200, isFound]);
    // Pressing the button searches for the same.
    const again = await events(new URLSearchParams(fieldsOf(body)).toString());
    expect(again.body.includes(reported)).toBe(isFound);
  });

  it('stand in the form as the browser shows them: a day as a day, an instant as a text', async () => {
    const { body } = await events('from=2026-01-31T09:00&to=2026-01-31');
    expect(fieldsOf(body)).toMatchObject({ from: '2026-01-31T09:00', to: '2026-01-31' });
    expect(typeOf(body, 'from')).toBe('text');
    expect(typeOf(body, 'to')).toBe('date');
    expect(typeOf((await events('')).body, 'from')).toBe('date');
  });

  it.each([
    ['from=yesterday', 'From (UTC): Must be like 2026-01-31 or 2026-01-31T09:00'],
    ['to=2026-02-30', 'To (UTC): Must be a date that exists'],
    ['to=2026-13-01', 'To (UTC): Must be a date that exists'],
    ['from=2026-02-30T09:00', 'From (UTC): Must be a date that exists'],
  ])('are named when they are wrong: %s', async (query, point) => {
    const { status, body } = await events(query);
    expect(status).toBe(400);
    expect(body).toContain(point);
    expect(body).toContain('Nothing was searched.');
  });

  it('are days in the history of calls, too', async () => {
    expect(await calls('from=2026-01-31&to=2026-01-31')).toBeGreaterThan(0);
    expect(await calls('to=2026-01-30')).toBe(0);
  });
});
