import { afterEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { captureOf, ConnectedSandbox, key, order } from './connected-sandbox.js';

const sandbox = forAllTests(() => ConnectedSandbox.start());

afterEach(() => sandbox.service.request('DELETE', '/admin/faults'));

/** Cases 1, 2, 5 and 6 of docs/failure-cases.md, counted in the service's own books. */
describe('one movement', () => {
  it.each([
    [{ kind: 'drop_reply' }, 'connection_lost'],
    [{ kind: 'garbage', body: 'html' }, 'malformed_answer'],
    [{ kind: 'garbage', body: 'truncated' }, 'connection_lost'],
  ])('is made by a capture under %j, and its outcome is left to a lookup', async (fault, reason) => {
    const client = sandbox.connect();
    const { paymentId, authorizationId } = await sandbox.authorize(client);
    await sandbox.service.switchOnFault({ operation: 'authorization.capture', ...fault });
    const request = captureOf('10.60');
    await expect(client.authorizations.capture(authorizationId, request, key())).rejects.toMatchObject({
      kind: 'unknown_outcome',
      reason: expect.stringMatching(new RegExp(`${reason}|malformed_answer`)),
    });
    expect(await sandbox.service.booksOf(paymentId)).toEqual(['hold 1060', 'capture 1060']);
    const seen = await client.payments.get(paymentId);
    expect(seen.transactions[0]?.captures.map(({ invoiceNumber }) => invoiceNumber)).toEqual([
      request.invoiceNumber,
    ]);
  });

  it('is made by a capture that is carried out after its caller has given up', async () => {
    const client = sandbox.connect();
    const { paymentId, authorizationId } = await sandbox.authorize(client);
    await sandbox.service.switchOnFault({
      operation: 'authorization.capture',
      kind: 'late',
      executeAfterMs: 4_000,
    });
    const impatient = sandbox.connect({ attemptTimeoutMs: 1_000 });
    await expect(
      impatient.authorizations.capture(authorizationId, captureOf('10.60'), key()),
    ).rejects.toMatchObject({ kind: 'unknown_outcome', reason: 'timed_out' });
    expect(await sandbox.service.booksOf(paymentId)).toEqual(['hold 1060']);
    await expect.poll(() => sandbox.service.booksOf(paymentId)).toEqual(['hold 1060', 'capture 1060']);
  });

  it.each(['drop_reply', 'garbage'])('is made by an execute whose reply is damaged (%s)', async (kind) => {
    const client = sandbox.connect();
    const { id } = await client.payments.create(order(), key());
    await sandbox.service.approve(id);
    const { payerId = '' } = await client.payments.get(id);
    await sandbox.service.switchOnFault({ operation: 'payment.execute', kind });
    await expect(client.payments.execute(id, { payerId }, key())).resolves.toMatchObject({
      state: 'approved',
    });
    expect(await sandbox.service.booksOf(id)).toEqual(['hold 1060']);
  });

  it('is made by a void whose reply is lost', async () => {
    const client = sandbox.connect();
    const { paymentId, authorizationId } = await sandbox.authorize(client);
    await sandbox.service.switchOnFault({ operation: 'authorization.void', kind: 'drop_reply' });
    await expect(client.authorizations.void(authorizationId, key())).resolves.toMatchObject({
      state: 'voided',
    });
    expect(await sandbox.service.booksOf(paymentId)).toEqual(['hold 1060', 'release 1060']);
  });

  it.each([401, 429])('is made by a capture that is first refused with %i', async (status) => {
    const client = sandbox.connect();
    const { paymentId, authorizationId } = await sandbox.authorize(client);
    await sandbox.service.switchOnFault({
      operation: 'authorization.capture',
      kind: 'status',
      status,
      retryAfter: 0,
    });
    await expect(
      client.authorizations.capture(authorizationId, captureOf('10.60'), key()),
    ).resolves.toMatchObject({ state: 'completed' });
    expect(await sandbox.service.booksOf(paymentId)).toEqual(['hold 1060', 'capture 1060']);
  });

  it('is not attempted without a token', async () => {
    await sandbox.service.switchOnFault({ operation: 'token', kind: 'status', status: 503, times: null });
    const client = sandbox.connect({ retry: { maxAttempts: 2, baseDelayMs: 1 } });
    await expect(client.payments.create(order(), key())).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'token_unavailable',
    });
    await sandbox.service.request('DELETE', '/admin/faults');
    await expect(client.payments.create(order(), key())).resolves.toMatchObject({ state: 'created' });
  });

  it('never breaks the books', async () => {
    expect(await sandbox.service.violations()).toEqual([]);
  });
});
