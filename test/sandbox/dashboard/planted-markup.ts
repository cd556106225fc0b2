import { CLIENT_SECRET, type SandboxFixture } from '../sandbox-fixture.js';
import type { WebhookReceiver } from '../webhook-receiver.js';

export const MARKUP = `<script>document.title='hit'</script>"'><img src=x onerror=alert(1)>`;
export const ADDRESS_SECRET = '9f8e7d6c5b4a39281706f5';

/** Wherever others can write something that the dashboard shows. */
export async function plant(
  sandbox: SandboxFixture,
  receiver: WebhookReceiver,
): Promise<{ readonly paymentId: string; readonly captureId: string }> {
  const webhook = { url: `${receiver.url}/hooks/${ADDRESS_SECRET}`, event_types: [{ name: '*' }] };
  await sandbox.call('POST', '/v1/notifications/webhooks', webhook);
  const transaction = { description: MARKUP, custom: MARKUP, payee: { email: 'planted@person.example' } };
  const authorized = await sandbox.authorized({ transaction });
  const captured = await sandbox.capture(authorized.authorizationId, '40.00');
  await sandbox.call(
    'GET',
    `/v1/payments/payment/${encodeURIComponent(MARKUP)}?q=${encodeURIComponent(MARKUP)}`,
    undefined,
    {
      'x-note': MARKUP,
      'x-plain': `it is ${CLIENT_SECRET}`,
      'paypal-request-id': MARKUP.slice(0, 40),
    },
  );
  await sandbox.request('PUT', `/admin/applications/${encodeURIComponent(MARKUP)}`, {
    clientSecret: 'markup-secret',
    name: MARKUP,
    environment: 'live',
  });
  await sandbox.exchange(MARKUP, 'markup-secret');
  await sandbox.sql(
    `INSERT INTO events (id, client_id, event_type, resource_type, resource_id, summary, resource, created_at)
     VALUES ('WH-MARKUP', 'shop', $x$${MARKUP}$x$, $x$${MARKUP}$x$, 'X', $x$${MARKUP}$x$, '{"a":"<script>b</script>"}', now())`,
  );
  return { paymentId: authorized.paymentId, captureId: captured.body.id };
}

/** One of each page, asked for the markup where it can be. */
export async function pathsOf(sandbox: SandboxFixture, paymentId: string): Promise<string[]> {
  const [event] = await sandbox.sql("SELECT id FROM events WHERE event_type = 'PAYMENT.CAPTURE.COMPLETED'");
  const [markup] = await sandbox.sql("SELECT id FROM calls WHERE query LIKE 'q=%'");
  const [create] = await sandbox.sql("SELECT id FROM calls WHERE operation = 'payment.create'");
  const [webhook] = await sandbox.sql('SELECT id FROM webhooks');
  return [
    '/dashboard',
    '/dashboard/calls',
    `/dashboard/calls?text=${encodeURIComponent(MARKUP)}&clientId=${encodeURIComponent(MARKUP)}`,
    `/dashboard/calls?status=${encodeURIComponent(MARKUP)}`,
    `/dashboard/calls/${String(markup!['id'])}`,
    `/dashboard/calls/${String(create!['id'])}`,
    '/dashboard/events',
    `/dashboard/events?eventType=${encodeURIComponent(MARKUP)}`,
    `/dashboard/events/${String(event!['id'])}`,
    '/dashboard/events/WH-MARKUP',
    '/dashboard/webhooks',
    `/dashboard/webhooks/${String(webhook!['id'])}`,
    '/dashboard/faults',
    '/dashboard/faults/new?kind=reshape',
    '/dashboard/books',
    '/dashboard/transactions',
    `/dashboard/transactions?text=${encodeURIComponent(MARKUP)}&kind=${encodeURIComponent(MARKUP)}`,
    `/dashboard/transactions?text=script`,
    `/dashboard/application?clientId=${encodeURIComponent(MARKUP)}`,
    `/dashboard/faults?paymentId=${encodeURIComponent(MARKUP)}`,
    `/dashboard/faults/new?kind=late&clientId=${encodeURIComponent(MARKUP)}&paymentId=${encodeURIComponent(MARKUP)}`,
    `/dashboard/transactions/${paymentId}`,
  ];
}
