import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { acceptRequest } from '../helpers/accept-request.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import type { RunEvent } from '#workflows/contract';
import { type StartedRun, startRunFixture } from '../workflows/payment-run.js';

describe('failure 33: a signal without an accepted request', () => {
  const fixture = forAllTests(() => startRunFixture({ approval: 'immediate' }));

  async function authorized(): Promise<StartedRun> {
    const run = await fixture.start();
    await run.reaches('authorized');
    return run;
  }

  async function rowOf({ identity: { paymentId } }: StartedRun) {
    return await fixture.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow();
  }

  const timelineOf = async ({ identity: { paymentId } }: StartedRun) =>
    await fixture.db
      .selectFrom('timeline')
      .selectAll()
      .where('subject_id', '=', paymentId)
      .orderBy('version')
      .execute();

  const conflictIn = (run: StartedRun, event: string) =>
    until(
      () => timelineOf(run),
      (lines) => lines.some((line) => line.kind === 'conflict' && line.event === event),
      `a line that reports ${event}`,
    );

  const commandsOf = async ({ identity: { paymentId } }: StartedRun) =>
    await fixture.db.selectFrom('commands').selectAll().where('subject_id', '=', paymentId).execute();

  const books = (run: StartedRun) => fixture.sandbox.booksOf(run.identity.paymentId);

  const forgeries: readonly RunEvent[] = [
    { type: 'captureRequested', commandId: 'cmd_forged' },
    { type: 'captureRequested', commandId: 'cmd_forged_part', minor: 5_000, final: false },
    { type: 'voidRequested', commandId: 'cmd_forged_void' },
  ];

  it.each(forgeries)('moves nothing, changes no state and is recorded: $type $commandId', async (forged) => {
    const run = await authorized();
    await run.forge(forged);
    await conflictIn(run, forged.type);
    expect(await books(run)).toEqual(['hold 10000']);
    expect(await rowOf(run)).toMatchObject({ status: 'authorized' });
    expect((await run.snapshot()).state.openStep).toBeUndefined();
    expect((await commandsOf(run)).map(({ kind }) => kind)).toEqual(['create']);
    const calls = await fixture.sandbox.calls('');
    expect(calls.filter(({ operation }) => operation === 'authorization.void')).toEqual([]);
    // Whoever is allowed to ask is served as if nothing had been.
    await run.send({ type: 'captureRequested', commandId: `cmd_${randomUUID()}` });
    await run.reaches('captured');
    expect(await books(run)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('does not count as the order’s own policy', async () => {
    const run = await authorized();
    const commandId = `${run.identity.paymentId}:capture-policy`;
    await run.forge({ type: 'captureRequested', commandId });
    await conflictIn(run, 'captureRequested');
    expect(await books(run)).toEqual(['hold 10000']);
    expect((await commandsOf(run)).map(({ kind }) => kind)).toEqual(['create']);
  });

  it('does not act on another payment’s accepted request, which stays unchanged', async () => {
    const [mine, other] = [await authorized(), await authorized()];
    const commandId = `cmd_${randomUUID()}`;
    const event = { type: 'captureRequested', commandId } as const;
    await acceptRequest(fixture.db, other.identity.paymentId, event);
    await mine.forge(event);
    await conflictIn(mine, 'captureRequested');
    expect(await books(mine)).toEqual(['hold 10000']);
    expect(await commandsOf(other)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: commandId, status: 'accepted' })]),
    );
    await other.send(event);
    await other.reaches('captured');
  });

  it.each([
    ['another amount', { type: 'captureRequested', minor: 9_000, final: true }],
    ['a part instead of all', { type: 'captureRequested', minor: 1_000 }],
    ['something else', { type: 'voidRequested' }],
  ] as const)('does not turn an accepted request into %s', async (_what, forged) => {
    const run = await authorized();
    const commandId = `cmd_${randomUUID()}`;
    const accepted = { type: 'captureRequested', commandId } as const;
    await acceptRequest(fixture.db, run.identity.paymentId, accepted);
    await run.forge({ ...forged, commandId });
    await conflictIn(run, forged.type);
    expect(await books(run)).toEqual(['hold 10000']);
    await run.send(accepted);
    await run.reaches('captured');
    expect(await books(run)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('does not refuse the request that it names while that one is being carried out', async () => {
    const run = await authorized();
    const request = { type: 'captureRequested', commandId: `cmd_${randomUUID()}` } as const;
    await fixture.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    await fixture.sandbox.fault({ operation: 'payment.get', kind: 'status', status: 503, times: null });
    await run.send(request);
    await run.reaches('capturing');
    await run.forge(request);
    await until(
      () => timelineOf(run),
      (lines) => lines.some(({ kind, event }) => kind === 'refused' && event === request.type),
      'a line that reports the refusal',
    );
    await fixture.sandbox.clearFaults();
    await run.reaches('captured');
    expect(await books(run)).toEqual(['hold 10000', 'capture 10000']);
    expect((await commandsOf(run)).find(({ id }) => id === request.commandId)).toMatchObject({
      status: 'succeeded',
    });
  });

  it('stays refused, and is not called forged, when the worker that refused it lost its task', async () => {
    const run = await authorized();
    const request = { type: 'voidRequested', commandId: `cmd_${randomUUID()}` } as const;
    await acceptRequest(fixture.db, run.identity.paymentId, request);
    const result = { code: 'not_allowed', reason: 'Not now.' };
    await fixture.db
      .updateTable('commands')
      .set({ status: 'refused', result: JSON.stringify(result) })
      .where('id', '=', request.commandId)
      .execute();
    await run.forge(request);
    const lines = await until(
      () => timelineOf(run),
      (lines) => lines.some(({ command_id }) => command_id === request.commandId),
      'a line that reports the request',
    );
    expect(lines.at(-1)).toMatchObject({
      kind: 'refused',
      from_status: 'authorized',
      to_status: 'authorized',
      detail: expect.stringContaining('refused already') as string,
    });
    expect(await books(run)).toEqual(['hold 10000']);
    expect((await commandsOf(run)).find(({ id }) => id === request.commandId)).toMatchObject({
      status: 'refused',
      result,
    });
    await run.send({ type: 'captureRequested', commandId: `cmd_${randomUUID()}` });
    await run.reaches('captured');
  });

  it('leaves no command behind and changes no other payment when it is refused for its state', async () => {
    const [mine, other] = [await authorized(), await authorized()];
    const commandId = `cmd_${randomUUID()}`;
    const release = { type: 'releaseRequested', commandId } as const;
    await acceptRequest(fixture.db, other.identity.paymentId, release);
    await mine.forge(release);
    await until(
      () => timelineOf(mine),
      (lines) => lines.some(({ kind }) => kind === 'refused'),
      'the refusal',
    );
    expect((await commandsOf(mine)).map(({ kind }) => kind)).toEqual(['create']);
    expect(await commandsOf(other)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: commandId, status: 'accepted' })]),
    );
  });
});

describe('failure 33: a forged message of the payer', () => {
  const fixture = forAllTests(startRunFixture);

  it('does not end a payment that its payer has not cancelled', async () => {
    const run = await fixture.start();
    await run.reaches('awaiting_approval');
    await run.forge({ type: 'payerCancelled' }, 'payer-cancelled:forged');
    await until(
      () => run.snapshot(),
      ({ version }) => version > 1,
      'the message taken',
    );
    expect((await run.snapshot()).state.status).toBe('awaiting_approval');
    await run.approve();
    await run.reaches('authorized');
    await run.send({ type: 'voidRequested', commandId: `cmd_${randomUUID()}` });
    await run.reaches('voided');
  });

  it('executes nothing that was not approved, and ends nothing under a wrong event name', async () => {
    const run = await fixture.start();
    await run.reaches('awaiting_approval');
    await run.forge({ type: 'payerApproved', payerId: 'SOMEBODYELSE' });
    await until(
      () => run.snapshot(),
      ({ state }) => state.status === 'awaiting_approval' && state.stepsBegun > 1,
      'the vain execution',
    );
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual([]);
    const { state } = await run.snapshot();
    await fixture.sandbox.approve(state.providerPaymentId ?? '');
    await run.forge({ type: 'payerApproved', payerId: 'SOMEBODYELSE' });
    await run.reaches('authorized');
  });

  it('ends a payment that its payer has cancelled', async () => {
    const run = await fixture.start();
    await run.reaches('awaiting_approval');
    await run.send({ type: 'payerCancelled' });
    await run.reaches('cancelled');
  });
});
