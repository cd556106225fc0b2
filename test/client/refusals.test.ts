import { describe, expect, it } from 'vitest';
import {
  ConflictError,
  DeclinedError,
  NotFoundError,
  RejectedError,
  UnauthorizedError,
} from '#payments-client';
import { forEachTest } from '../helpers/shared.js';
import { captureRequest, paymentRequest, wirePayment, error } from './answers.js';
import { json, raw, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };

/** Case 5 of docs/failure-cases.md. */
describe('a refusal', () => {
  it.each([
    [400, 'VALIDATION_ERROR', RejectedError, 'rejected'],
    [400, 'AUTHORIZATION_VOIDED', RejectedError, 'rejected'],
    [422, 'UNPROCESSABLE_ENTITY', RejectedError, 'rejected'],
    [400, 'INSTRUMENT_DECLINED', DeclinedError, 'declined'],
    [403, 'NOT_AUTHORIZED', UnauthorizedError, 'unauthorized'],
    [404, 'INVALID_RESOURCE_ID', NotFoundError, 'not_found'],
    [409, 'RESOURCE_CONFLICT', ConflictError, 'conflict'],
  ])('of %i %s is one %o, sent once', async (status, name, type, kind) => {
    provider.script(json(status, error(name)));
    const outcome = await provider
      .client()
      .authorizations.capture('AUTH-1', captureRequest, key)
      .catch((thrown: unknown) => thrown);
    expect(outcome).toBeInstanceOf(type);
    expect(outcome).toMatchObject({ kind, status, code: name, debugId: 'debug-1', requestId: 'request-1' });
    expect(provider.requests).toHaveLength(1);
  });

  it('names the fields', async () => {
    const details = [{ field: 'transactions[0].amount.total', issue: 'Must be positive' }];
    provider.script(json(400, error('VALIDATION_ERROR', { details })));
    await expect(provider.client().payments.create(paymentRequest, key)).rejects.toMatchObject({
      issues: details,
    });
  });

  it('takes the debug id from the header when the body has none', async () => {
    provider.script(json(404, { name: 'INVALID_RESOURCE_ID' }, { 'paypal-debug-id': 'from-header' }));
    await expect(provider.client().payments.get('PAY-1')).rejects.toMatchObject({ debugId: 'from-header' });
  });

  it('is the provider’s own: a page that says 404 proves nothing absent, and the read is repeated', async () => {
    provider.script(raw(404, '<html>no such page</html>'), json(200, wirePayment));
    expect(await provider.client().payments.get('PAY-1')).toMatchObject({ id: 'PAY-1' });
    expect(provider.requests).toHaveLength(2);
  });
});
