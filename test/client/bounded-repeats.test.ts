import { describe, expect, it } from 'vitest';
import { type PaymentsClient, RateLimitedError, UnauthorizedError, UnavailableError } from '#payments-client';
import type { KeyedCallOptions } from '#payments-client/client-options.js';
import { forEachTest } from '../helpers/shared.js';
import { error } from './answers.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const refused = (seconds: number) =>
  json(429, error('RATE_LIMIT_REACHED'), { 'retry-after': String(seconds) });
const execute = (notRepeatedFrom: number) =>
  provider.client().agreements.execute('EC-1', { requestId: 'request-1', notRepeatedFrom });

it('a call whose repeat would come too late is refused at once, and not sent again', async () => {
  provider.script(refused(20));
  await expect(execute(Date.now() + 15_000)).rejects.toBeInstanceOf(RateLimitedError);
  expect(provider.requests).toHaveLength(1);
});

it('a call is repeated as long as its repeats are in time', async () => {
  provider.script(refused(1), json(400, error('PAYMENT_EXPIRED')));
  await expect(execute(Date.now() + 600_000)).rejects.not.toBeInstanceOf(RateLimitedError);
  expect(provider.requests).toHaveLength(2);
});

it('a call that has waited for a token until it is too late is not sent', async () => {
  await expect(execute(Date.now() - 1)).rejects.toBeInstanceOf(UnavailableError);
  expect(provider.tokenRequests).toHaveLength(1);
  expect(provider.requests).toHaveLength(0);
});

it('a call whose token is refused when it is too late is not sent again', async () => {
  const { agreements } = provider.client();
  provider.script(json(400, error('PAYMENT_EXPIRED')), json(401, error('AUTHENTICATION_FAILURE')));
  await expect(agreements.execute('EC-1', { requestId: 'request-1' })).rejects.toThrow();
  const late = agreements.execute('EC-1', { requestId: 'request-2', notRepeatedFrom: Date.now() - 1 });
  await expect(late).rejects.toBeInstanceOf(UnauthorizedError);
  expect(provider.requests).toHaveLength(2);
});

describe('every call is bound', () => {
  const request = { amount: { value: '1.00', currency: 'USD' }, invoiceNumber: 'i-1' };
  const item = {
    recipientType: 'PAYPAL_ID',
    receiver: 'A',
    amount: request.amount,
    senderItemId: '1',
  } as const;
  const calls: Record<string, (client: PaymentsClient, options: KeyedCallOptions) => Promise<unknown>> = {
    'payment.execute': ({ payments }, options) => payments.execute('PAY-1', { payerId: 'P' }, options),
    'payment.get': ({ payments }, { notRepeatedFrom }) => payments.get('PAY-1', { notRepeatedFrom }),
    'authorization.void': ({ authorizations }, options) => authorizations.void('A-1', options),
    'capture.refund': ({ captures }, options) => captures.refund('C-1', request, options),
    'sale.refund': ({ sales }, options) => sales.refund('S-1', request, options),
    'payout.create': ({ payouts }, options) => payouts.create({ senderBatchId: 'b', items: [item] }, options),
    'agreement.cancel': ({ agreements }, options) => agreements.cancel('I-1', { note: 'x' }, options),
    'event.resend': ({ events }, { notRepeatedFrom }) => events.resend('WH-1', { notRepeatedFrom }),
    'webhook.list': ({ webhooks }, { notRepeatedFrom }) => webhooks.list({ notRepeatedFrom }),
  };

  it.each(Object.entries(calls))('%s', async (_name, call) => {
    provider.script(refused(20));
    const options = { requestId: 'request-1', notRepeatedFrom: Date.now() + 15_000 };
    await expect(call(provider.client(), options)).rejects.toBeInstanceOf(RateLimitedError);
    expect(provider.requests).toHaveLength(1);
  });
});
