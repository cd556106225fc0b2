import { expect, it } from 'vitest';
import { RateLimitedError } from '#payments-client';
import { forEachTest } from '../helpers/shared.js';
import { error } from './answers.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const refused = json(429, error('RATE_LIMIT_REACHED'), { 'retry-after': '1' });
const execute = (notRepeatedFrom: number) =>
  provider.client().agreements.execute('EC-1', { requestId: 'request-1', notRepeatedFrom });

it('a call whose repeat would come too late is refused at once, and not sent again', async () => {
  provider.script(refused);
  await expect(execute(Date.now() + 500)).rejects.toBeInstanceOf(RateLimitedError);
  expect(provider.requests).toHaveLength(1);
});

it('a call is repeated as long as its repeats are in time', async () => {
  provider.script(refused, json(400, error('PAYMENT_EXPIRED')));
  await expect(execute(Date.now() + 600_000)).rejects.not.toBeInstanceOf(RateLimitedError);
  expect(provider.requests).toHaveLength(2);
});
