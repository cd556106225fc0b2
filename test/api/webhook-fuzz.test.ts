import { expect, test } from 'vitest';
import { Random } from '#proof/faults/random.js';
import { forAllTests } from '../helpers/shared.js';
import { sized } from '../helpers/sized.js';
import { until } from '../helpers/until.js';
import { fingerprintPayments, openFuzzStage } from './webhook-fuzz/fuzz-stage.js';
import { fuzzedDeliveries, type GenuineDelivery } from './webhook-fuzz/fuzzed-deliveries.js';
import { sendFuzz } from './webhook-fuzz/send-fuzz.js';
import { holdSlowSenders } from './webhook-fuzz/slow-senders.js';

/** FUZZ_DELIVERIES=100000 for hours. The same seed makes it the same ones again. */
const total = Number(process.env['FUZZ_DELIVERIES'] ?? sized(1_000, 10_000));
const seed = process.env['FUZZ_SEED'] ?? 'webhook fuzz';
const slowSenders = 200;

const mebibyte = 1024 * 1024;
/** What the process may hold beyond its limited heap: code, buffers in flight, slow senders. */
const mostResidentBytes = 420 * mebibyte;

const stage = forAllTests(openFuzzStage);

async function deliverGenuine(): Promise<GenuineDelivery> {
  const delivery = stage.genuine();
  const response = await fetch(stage.api.url + stage.targets.signed, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...delivery.headers },
    body: new Uint8Array(delivery.body),
  });
  expect(response.status).toBe(200);
  return delivery;
}

async function journal() {
  return await stage.db
    .selectFrom('webhook_events')
    .select(['event_id', 'application', 'status', 'detail'])
    .execute();
}

test(
  `cases 22 to 24: ${total} fuzzed deliveries get no 5xx, hold no memory, send no packet and change no payment`,
  { timeout: 1_800_000 },
  async () => {
    const { api, db, targets } = stage;
    const random = new Random(seed);
    const before = await fingerprintPayments(db);
    const genuine: GenuineDelivery[] = [];
    for (let n = 0; n < 20; n++) genuine.push(await deliverGenuine());
    const pid = api.pid;

    const port = Number(new URL(api.url).port);
    const slow = holdSlowSenders(random.fork('slow'), { port, path: targets.secret, count: slowSenders });
    let peak = 0;
    const meter = setInterval(() => (peak = Math.max(peak, api.residentBytes())), 500);
    const startedAt = Date.now();
    const deliveries = fuzzedDeliveries(random, { ...targets, genuine });
    const { counts, wrong } = await sendFuzz(api.url, deliveries, total);
    const seconds = (Date.now() - startedAt) / 1_000;
    clearInterval(meter);
    const cutOff = await slow;
    console.log(JSON.stringify({ seed, total, seconds, peakMiB: Math.round(peak / mebibyte), counts }));

    expect(wrong).toEqual([]);
    expect(Object.keys(counts).filter((name) => / 5\d\d$/.test(name))).toEqual([]);
    expect(cutOff.filter((status) => status !== undefined && (status < 400 || status > 499))).toEqual([]);
    // Those that authenticate are the ones that could do harm: there were some.
    expect(counts['untrue 200']).toBeGreaterThan(0);
    expect(stage.intrusions()).toBe(0);
    expect(peak).toBeLessThan(mostResidentBytes);
    expect(api.pid).toBe(pid);

    // What authenticated is in the journal and nothing else; none of it has moved anything.
    const settled = await until(
      journal,
      (rows) => rows.every(({ status }) => status !== 'received' && status !== 'dispatching'),
      'every event to be dispatched',
    );
    const bySign = settled.filter(
      ({ application, status }) => application === 'bookshop' && status !== 'contested',
    );
    const contested = settled.filter(({ status }) => status === 'contested');
    expect(contested.filter(({ event_id }) => !event_id.startsWith('WH-FORGED'))).toEqual([]);
    expect(new Set(bySign.map(({ event_id }) => event_id))).toEqual(
      new Set(genuine.map(({ eventId }) => eventId)),
    );
    expect(settled.filter(({ event_id }) => /^WH-(ADDRESS|UNWELCOME)/.test(event_id))).toEqual([]);
    // A refund's run reads it back before there is any row of it.
    const hints = ['nothing new', 'signalled to the run of the refund'];
    const applied = settled.filter(({ status }) => status === 'applied');
    expect(applied.filter(({ detail }) => !hints.includes(detail ?? ''))).toEqual([]);
    expect(await fingerprintPayments(db)).toEqual(before);
    const log = api.log();
    for (const secret of stage.secrets) expect(log).not.toContain(secret);
    await deliverGenuine();
  },
);
