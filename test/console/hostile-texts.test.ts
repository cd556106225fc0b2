import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiFixture, authorizedState } from '../api/api-fixture.js';
import { launchBrowser } from '../browser/browser.js';
import { newId, owner } from '../database/engine-database.js';
import { StoredRefund } from '../database/stored-refund.js';
import { forAllTests } from '../helpers/shared.js';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { ConsoleBrowser } from './console-browser.js';
import { consoleUsers } from './console-users.js';

/** What others may write, and how a page shows it. */
const texts: readonly (readonly [string, string, string])[] = [
  ['a script', `<script>document.title = 'hit'</script>`, `<script>document.title = 'hit'</script>`],
  [
    'an image that breaks out of an attribute',
    `"><img src=x onerror="document.title='hit'">`,
    `"><img src=x onerror="document.title='hit'">`,
  ],
  ['a text that turns round what follows', 'safe\u202Egnp.exe\u2066', 'safe[U+202E]gnp.exe[U+2066]'],
  ['ten kilobytes without a space', 'x'.repeat(10_000), 'x'.repeat(10_000)],
];

const api = forAllTests(() => ApiFixture.start({ consoleUsers, notifications: { allowsAnyAddress: true } }));
const browser = forAllTests(launchBrowser);
let anna: ConsoleBrowser;
let paths: readonly string[];

beforeAll(async () => {
  const narrow = { viewport: { width: 375, height: 900 } };
  paths = await oneOfEach();
  anna = await ConsoleBrowser.signedIn(browser, api.url, 'anna', narrow);
});

async function ordered(path: string, body: object): Promise<string> {
  const answer = await api.call('POST', path, { body, idempotencyKey: randomUUID() });
  if (answer.status >= 300) throw new Error(answer.text);
  return String(answer.body['id']);
}

/** One row of each kind, whose texts are replaced. @returns the pages that show them. */
async function oneOfEach(): Promise<string[]> {
  const endpoint = await ordered('/v1/notification-endpoints', { url: 'http://127.0.0.1:9/told' });
  const payment = await api.paymentWith(authorizedState());
  await api.moveTo(payment, { status: 'needs_review' });
  const stored = new StoredRefund(api.db, owner, payment, newId('REF'));
  await stored.write(refund('completed'), 2);
  const regular = { frequency: 'MONTH', cycles: 12, amount: '10.00' };
  const plan = await ordered('/v1/plans', { name: 'x', description: 'x', currency: 'USD', regular });
  await run(sql`update plans set status = 'active',
    state = state - 'openStep' || '{"status": "active", "providerPlanId": "P-1"}'`);
  const subscription = await ordered('/v1/subscriptions', {
    planId: plan,
    startDate: new Date(Date.now() + 600_000).toISOString(),
    returnUrl: 'https://shop.example/welcome',
    cancelUrl: 'https://shop.example/plans',
  });
  const payout = await ordered('/v1/payouts', {
    reference: 'shares',
    emailSubject: 'Your share',
    items: [
      {
        itemId: 'anna-1',
        receiver: { type: 'EMAIL', value: 'anna@example.com' },
        amount: { value: '7.50', currency: 'USD' },
      },
    ],
  });
  await run(sql`insert into api_calls (environment, application, subject_id, operation, method, path, started_at, duration_ms,
    request, response, response_headers) values ('sandbox', 'shop', ${payment}, 'op', 'POST', 'x', now(), 1, '{}', '{}', '{}')`);
  await run(sql`insert into webhook_events (environment, application, event_id, event_type, resource, resource_ids, payload,
    status, subject_id) values ('sandbox', 'shop', 'WH-1', 'x', '{"kind":"other","id":"x","state":"x"}', '{}', '{}',
    'applied', ${payment})`);
  await run(sql`insert into drift (environment, application, subject_id, field, ours, theirs)
    values ('sandbox', 'shop', ${payment}, 'hold', 'x', 'x')`);
  await run(sql`insert into console_audit (user_name, role, action, environment, application, subject_id, reason, detail)
    values ('x', 'operator', 'x', 'sandbox', 'shop', ${payment}, 'x', 'x')`);
  const { call, notification } = await api.db
    .selectNoFrom((row) => [
      row.selectFrom('api_calls').select('id').limit(1).as('call'),
      row.selectFrom('notifications').select('id').limit(1).as('notification'),
    ])
    .executeTakeFirstOrThrow();
  return [
    '/console',
    '/console/queue',
    '/console/differences',
    `/console/payments/${payment}`,
    `/console/payments/${payment}/decide`,
    `/console/refunds/${stored.id}`,
    `/console/plans/${plan}`,
    `/console/subscriptions/${subscription}`,
    `/console/payouts/${payout}`,
    '/console/calls',
    `/console/calls/${call}`,
    '/console/webhook-events',
    '/console/webhook-events/sandbox/shop/WH-1',
    '/console/webhook-events/again',
    '/console/endpoints',
    `/console/endpoints/${endpoint}`,
    `/console/endpoints/${endpoint}/resend`,
    `/console/notifications/sandbox/shop/${notification}`,
    '/console/audit',
  ];
}

async function run(statement: RawBuilder<unknown>): Promise<void> {
  await statement.execute(api.db);
}

/** Whatever an order service, a payer, the provider, a receiver or an operator can write. */
async function rewrite(text: string): Promise<void> {
  const json = sql`to_jsonb(${text}::text)`;
  for (const statement of [
    sql`update payments set order_id = ${text.slice(0, 2_000)}, description = ${text}, return_url = ${text}, cancel_url = ${text},
      state = jsonb_set(jsonb_set(state, '{reason}', ${json}), '{contradiction}', ${json})`,
    sql`update refunds set state = jsonb_set(state, '{reason}', ${json})`,
    sql`update plans set name = ${text}, state = jsonb_set(state, '{reason}', ${json})`,
    sql`update subscriptions set name = ${text}, state = jsonb_set(state, '{reason}', ${json})`,
    sql`update payouts set reference = ${text.slice(0, 2_000)}, state = jsonb_set(state, '{reason}', ${json})`,
    sql`update payout_items set error_code = ${text}, receiver_masked = ${text}`,
    sql`update commands set requested_by = ${text}, result = jsonb_build_object('reason', ${text}::text)`,
    sql`update timeline set event = ${text}, detail = ${text}`,
    sql`update api_calls set path = ${text}, request = ${json}, response = ${json}, response_headers = ${json}`,
    sql`update webhook_events set event_type = ${text}, detail = ${text}, payload = ${json},
      resource = jsonb_build_object('kind', 'other', 'id', ${text}::text, 'state', ${text}::text)`,
    sql`update notification_endpoints set url = 'http://127.0.0.1:9/' || ${text}, description = ${text}, status = 'disabled',
      status_reason = ${text}`,
    sql`update notifications set payload = ${json}::text`,
    sql`update notification_deliveries set last_reason = ${text}`,
    sql`update notification_attempts set reason = ${text}`,
    sql`update drift set field = ${text}, ours = ${text}, theirs = ${text}`,
    sql`update console_audit set user_name = ${text.slice(0, 2_000)}, action = ${text}, reason = ${text}, detail = ${text}`,
  ])
    await run(statement);
}

describe('what others have written', () => {
  it.each(texts)('is a text on each page of the console: %s', async (_name, written, shown) => {
    await rewrite(written);
    for (const path of paths) {
      expect(await anna.goto(path), path).toBe(200);
      expect(await anna.page.title(), path).not.toBe('hit');
      expect(await anna.page.locator('main :is(script, img, iframe, object)').count(), path).toBe(0);
      const isExpected = !path.endsWith('/again') || written === shown;
      if (isExpected)
        expect(await anna.page.locator('body').textContent(), path).toContain(shown.slice(0, 1_500));
      expect(await anna.page.locator('body').textContent(), path).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      await anna.isAccessible();
    }
  });
});

it('no page breaks its policy', () => {
  expect(anna.complaints).toEqual([]);
});
