import { until } from '../../helpers/until.js';
import { paymentBody, type SandboxFixture } from '../sandbox-fixture.js';

const LONG_ID = 'longest-client-id-'.padEnd(100, 'W');
const ACCOUNT = 'ACCOUNT-'.padEnd(64, 'W');

/** On every page the longest that the service accepts: ids, names, amounts, references, addresses, settings. */
export async function plantLongRows(sandbox: SandboxFixture, paymentId: string): Promise<string[]> {
  await sandbox.request('POST', '/admin/accounts', {
    id: ACCOUNT,
    kind: 'business',
    email: 'long@person.example',
  });
  const application = { clientSecret: 'long-secret', name: 'M'.repeat(200), accountId: ACCOUNT };
  await sandbox.request('PUT', `/admin/applications/${LONG_ID}`, application);
  const authorization = `Bearer ${await sandbox.newToken(LONG_ID, 'long-secret')}`;
  const send = async (path: string, body: object) =>
    (await sandbox.request('POST', path, body, { authorization, 'paypal-request-id': 'R'.repeat(78) })).body;
  await send('/v1/notifications/webhooks', {
    // Nobody listens there: its deliveries fail.
    url: `http://127.0.0.1:9/${'hook/'.repeat(60)}`,
    event_types: [{ name: '*' }],
  });
  const created = await send(
    '/v1/payments/payment',
    paymentBody({
      total: '9999999.99',
      transaction: { invoice_number: 'I'.repeat(127), custom: 'C'.repeat(127), description: 'D'.repeat(127) },
    }),
  );
  await sandbox.approve(created.id);
  await send(`/v1/payments/payment/${created.id}/execute`, { payer_id: 'SANDBOXPAYER1' });
  await sandbox.request('GET', `/v1/payments/payment/${'X'.repeat(60)}?${'query='.repeat(200)}`, undefined, {
    authorization,
    'x-long': 'H'.repeat(900),
  });
  const remove = Array.from({ length: 20 }, (_, at) => `${'field.'.repeat(15)}at${at}`);
  await sandbox.switchOnFault({
    kind: 'reshape',
    remove,
    clientId: LONG_ID,
    paymentId: created.id,
    nth: 999_999,
  });
  await sandbox.switchOnFault({ kind: 'drop_reply', operation: 'payment.update', paymentId });
  const [event] = await sandbox.sql(`SELECT id FROM events WHERE client_id = '${LONG_ID}'`);
  const [call] = (await sandbox.request('GET', `/admin/calls?clientId=${LONG_ID}&status=404`)).body.calls;
  const [webhook] = await sandbox.sql(`SELECT id FROM webhooks WHERE client_id = '${LONG_ID}'`);
  const failing = async () => (await sandbox.request('GET', '/dashboard/events?deliveries=failing')).body;
  await until(failing, (page: string) => page.includes(String(event!['id'])), 'a delivery to fail');
  return [
    `/dashboard/application?clientId=${LONG_ID}`,
    `/dashboard/calls?clientId=${LONG_ID}&accountId=${ACCOUNT}&status=whim&from=soon&text=${'T'.repeat(190)}`,
    `/dashboard/calls/${call.id}`,
    '/dashboard/events?deliveries=failing',
    `/dashboard/events/${String(event!['id'])}`,
    `/dashboard/webhooks/${String(webhook!['id'])}`,
    `/dashboard/webhooks?clientId=${LONG_ID}`,
    `/dashboard/transactions?text=${'I'.repeat(100)}`,
    `/dashboard/transactions/${created.id}`,
    `/dashboard/faults/new?kind=unknown_enum&clientId=${LONG_ID}`,
    '/dashboard/faults/new?kind=corrupt_delivery&eventType=BILLING.SUBSCRIPTION.PAYMENT.FAILED',
    '/dashboard/events?eventType=BILLING.SUBSCRIPTION.PAYMENT.FAILED',
    '/dashboard/nowhere',
  ];
}
