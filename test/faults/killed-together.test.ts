import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { isReported, startWholeSystem, untilAnswered } from './whole-system.js';

const patience = { OUTCOME_HORIZON_MS: '15000', FIRST_POLL_MS: '3000', LONGEST_POLL_MS: '5000' };

const system = forAllTests(() =>
  startWholeSystem({
    api: patience,
    worker: { ...patience, RECONCILE_INTERVAL_MS: '5000', RECONCILE_LOST_AFTER_MS: '5000' },
  }),
);
beforeAll(async () => {
  await system.sandbox.configure({ approval: 'immediate' });
});
afterEach(() => system.sandbox.clearFaults());

async function authorized(): Promise<string> {
  const key = randomUUID();
  const { body } = await untilAnswered(() => system.orders.order({}, key));
  return (await isReported(system.orders, body.id, 'authorized')).id;
}

/** An order service in a process of its own: asks for the capture, and prints the answer if it lives to see one. */
function startCaller(id: string, key: string): { child: ChildProcess; heard: () => string } {
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${system.stack.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: '{}',
  };
  const url = `${system.stack.addresses.api}/v1/payments/${id}/captures`;
  // A machine that is short of time may answer 503 first: asked again, as docs/api.md tells an order service to.
  const script = `
    for (let status = 503; status >= 500;) {
      ({ status } = await fetch(${JSON.stringify(url)}, ${JSON.stringify(request)}));
      if (status < 500) console.log(status);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let heard = '';
  child.stdout.on('data', (text: Buffer) => (heard += text.toString()));
  return { child, heard: () => heard };
}

async function killCaller(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** The provider holds the capture of one of these, whose sender waits for the answer. */
async function captureIsInFlight(ids: readonly string[]): Promise<void> {
  const payments = await Promise.all(ids.map((id) => system.orders.get(id)));
  const holds = payments.flatMap(({ authorizations }) => authorizations);
  await until(
    () => system.sandbox.calls('inflight=true'),
    (calls) => calls.some(({ path }) => holds.some((id) => path.endsWith(`/${id}/capture`))),
    'the capture on its way',
  );
}

describe('case 1: caller, worker and Temporal killed at the same moment while the capture is on its way', () => {
  it.each([
    ['has been carried out by then', { kind: 'delay', delayMs: 30_000 }, ['hold 10000', 'capture 10000']],
    [
      'is carried out after their death',
      { kind: 'late', executeAfterMs: 10_000, delayMs: 30_000 },
      ['hold 10000'],
    ],
  ])(
    'capture once where it %s',
    async (_when, fault, booksAtDeath) => {
      const { orders, sandbox, victims, kill, revive } = system;
      const id = await authorized();
      await sandbox.fault({ operation: 'authorization.capture', ...fault });
      const key = randomUUID();
      const caller = startCaller(id, key);
      await captureIsInFlight([id]);
      await until(
        () => sandbox.booksOf(id),
        (books) => books.length === booksAtDeath.length,
        booksAtDeath.join(),
      );
      await Promise.all([killCaller(caller.child), kill(...victims.worker, ...victims.temporal)]);
      expect(caller.heard()).toBe('');
      expect(await sandbox.booksOf(id)).toEqual(booksAtDeath);

      await revive(...victims.temporal, ...victims.worker);
      const reported = await isReported(orders, id, 'captured');
      expect(reported.amounts.captured.value).toBe('100.00');
      // The caller comes back with what it had written down before it asked: the key.
      const answer = await untilAnswered(() => orders.capture(id, {}, key));
      expect(answer).toMatchObject({ status: 201, body: { capture: { state: 'completed' } } });
      expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
      expect(await sandbox.booksAreSound()).toBe(true);
    },
    300_000,
  );
});

describe('case 17: worker, API, provider, Temporal and both PostgreSQL killed at the same moment under load', () => {
  it('come back, end every request that was under way, and double nothing', async () => {
    const { orders, sandbox, victims, kill, revive } = system;
    const before = (await sandbox.movements()).length;
    const held = await Promise.all(Array.from({ length: 6 }, authorized));
    await sandbox.fault({
      operation: 'authorization.capture',
      kind: 'late',
      executeAfterMs: 1_000,
      delayMs: 30_000,
      times: 3,
    });
    const captures = held.map((id) => {
      const key = randomUUID();
      return untilAnswered(() => orders.capture(id, {}, key));
    });
    const ordered = Array.from({ length: 6 }, () => {
      const key = randomUUID();
      return untilAnswered(() => orders.order({}, key));
    });
    await captureIsInFlight(held);
    const all = Object.values(victims).flat();
    expect(new Set(all.map(({ kind }) => kind)).size).toBe(6);
    await kill(...all);
    await revive(...all);
    await sandbox.clearFaults();

    for (const { status, body } of await Promise.all(captures)) {
      expect([status, body.capture.state]).toEqual([201, 'completed']);
    }
    const answers = await Promise.all(ordered);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    for (const id of held) expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
    for (const { body } of answers) {
      expect((await isReported(orders, body.id, 'authorized')).id).toBe(body.id);
      expect(await sandbox.booksOf(body.id)).toEqual(['hold 10000']);
    }
    // Nothing under a reference that nobody was told, either.
    expect((await sandbox.movements()).length - before).toBe(3 * 6);
    expect(await sandbox.booksAreSound()).toBe(true);
  });
});
