import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProviderClock } from '#payments-client/transport/provider-clock.js';
import { forEachTest } from '../helpers/shared.js';
import { captureRequest, wireAuthorization, wireCapture, wirePayment } from './answers.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const hour = 3_600_000;
const provider = forEachTest(startScriptedProvider);
afterEach(() => vi.useRealTimers());

const shift = (byMs: number) => new Date(Date.now() + byMs);
const dated = (aheadByMs: number) => ({ date: shift(aheadByMs).toUTCString() });
/** In hours. A date has no fractions of a second, and an answer takes its time. */
const inHours = ({ least, most }: { readonly least: number; readonly most: number }) => ({
  least: expect.closeTo(least, 0) as number,
  most: expect.closeTo(most, 0) as number,
});

async function offsetsAfter(...answers: ReturnType<typeof json>[]) {
  const client = provider.client();
  provider.script(...answers);
  for (const _ of answers) await client.payments.get('PAY-1').catch(() => undefined);
  const { least, most } = client.clockOffsets;
  return { least: least / hour, most: most / hour };
}

async function offsetsAfterCapture(status: number, body: object) {
  const client = provider.client();
  provider.script(json(status, body));
  await client.authorizations.capture('AUTH-1', captureRequest, { requestId: 'request-1' });
  const { least, most } = client.clockOffsets;
  return { least: least / hour, most: most / hour };
}

describe('the difference between the clocks', () => {
  it('is none while answers are dated by ours, or not dated', async () => {
    expect(await offsetsAfter(json(200, wirePayment, dated(0)))).toEqual(inHours({ least: 0, most: 0 }));
  });

  it('is not known until an answer shows it', async () => {
    const client = provider.client();
    expect(client.clockOffsets).toMatchObject({ least: 0, most: 0, isUnknown: true });
    provider.script(json(200, wirePayment, dated(0)));
    await client.payments.get('PAY-1');
    expect(client.clockOffsets).not.toHaveProperty('isUnknown');
  });

  it('is what the dates of answers show, whichever way, also of refusals', async () => {
    const shown = await offsetsAfter(
      json(200, wirePayment, dated(5 * hour)),
      json(404, {}, dated(-3 * hour)),
      json(200, wirePayment, dated(0)),
    );
    expect(shown).toEqual(inHours({ least: -3, most: 5 }));
  });

  it('is also each one in between that was shown, the latest ten', async () => {
    const client = provider.client();
    const hours = [9, -3, 0, 2, 2, ...Array.from({ length: 11 }, (_, index) => -2 + index / 10), 9, -3];
    provider.script(...hours.map((each) => json(200, wirePayment, dated(each * hour))));
    for (const _ of hours) await client.payments.get('PAY-1');
    const { least, most, others = [] } = client.clockOffsets;
    expect({ least: least / hour, most: most / hour }).toEqual(inHours({ least: -3, most: 9 }));
    expect(others.map((each) => Math.round(each / (hour / 10)) / 10)).toEqual(
      Array.from({ length: 10 }, (_, index) => Math.round(-19 + index) / 10),
    );
  });

  it('is what was created just now shows, and nothing else', async () => {
    const create_time = shift(5 * hour).toISOString();
    const created = { ...wireCapture, create_time, update_time: create_time };
    expect(await offsetsAfterCapture(201, created)).toEqual(inHours({ least: 0, most: 5 }));
    // Created long ago, and changed since.
    const changed = { ...wireCapture, create_time: shift(-5 * hour).toISOString(), update_time: create_time };
    expect(await offsetsAfterCapture(201, changed)).toEqual(inHours({ least: 0, most: 0 }));
    // Found under its request id, or read: created whenever.
    expect(await offsetsAfterCapture(200, created)).toEqual(inHours({ least: 0, most: 0 }));
    expect(await offsetsAfter(json(200, { ...wirePayment, create_time }))).toEqual(
      inHours({ least: 0, most: 0 }),
    );
  });

  it('is not the age of a hold that is reauthorized', async () => {
    const client = provider.client();
    const create_time = shift(-72 * hour).toISOString();
    provider.script(json(201, { ...wireAuthorization, create_time, update_time: undefined }));
    const amount = { value: '10.60', currency: 'USD' };
    await client.authorizations.reauthorize('AUTH-1', { amount }, { requestId: 'request-1' });
    expect(client.clockOffsets.least / hour).toBeCloseTo(0, 0);
  });

  it.each([
    ['begins', 0],
    ['ends', 20_000],
  ])('is none if an answer that takes 20 s is dated when its request %s', (_, afterMs) => {
    const clock = new ProviderClock();
    const startedAt = Math.floor(Date.now() / 1_000) * 1_000;
    vi.useFakeTimers({ now: startedAt + 20_000, toFake: ['Date'] });
    const headers = { date: new Date(startedAt + afterMs).toUTCString() };
    clock.observe(
      'payment.get',
      { kind: 'answer', status: 200, headers, body: Buffer.alloc(0) },
      {},
      startedAt,
    );
    expect(clock.offsets).toEqual({ least: 0, most: 0 });
  });

  it('is not what no clock can show', async () => {
    const odd = ['yesterday', 'Fri, 01 Jan 1960 00:00:00 GMT', 'Fri, 01 Jan 2500 00:00:00 GMT'];
    const answers = odd.map((date) => json(200, wirePayment, { date }));
    expect(await offsetsAfter(...answers)).toEqual(inHours({ least: 0, most: 0 }));
  });

  it('is forgotten when it has not been seen for two hours', async () => {
    const client = provider.client();
    provider.script(
      json(200, wirePayment, dated(5 * hour)),
      ...[1.1, 2.2].map((hours) => json(200, wirePayment, dated(hours * hour))),
    );
    await client.payments.get('PAY-1');
    vi.useFakeTimers({ now: Date.now() + 1.1 * hour, toFake: ['Date'] });
    await client.payments.get('PAY-1');
    expect(client.clockOffsets.most / hour).toBeCloseTo(5, 0);
    vi.setSystemTime(Date.now() + 1.1 * hour);
    await client.payments.get('PAY-1');
    expect(client.clockOffsets.most / hour).toBeCloseTo(0, 0);
  });
});
