import { describe, expect, it } from 'vitest';
import type { Job } from '#proof/simulator/temporal/history.js';
import { begun, named, positionIn, sent, viewIn } from './sample-jobs.js';
import type { Event, State } from './sample-lifecycle.js';
import { RunStand } from './stand.js';

const idle: State = { status: 'idle' };
const asked: Event = { type: 'asked', commandId: 'cmd_1' };
const told: Event = { type: 'told' };
const made: Event = { type: 'made' };
const seen = (at: number) => ({ event: { type: 'seen' }, at });
const dueIn = (ms: number, type: 'readCameDue' | 'stepCameDue' = 'readCameDue'): State => ({
  ...idle,
  due: { at: RunStand.startsAt + ms, event: { type } },
});

describe('a run', () => {
  it('takes what came before its first task in the order in which it came', async () => {
    const stand = new RunStand(idle);
    const asks = await stand.begin(sent('m1', { type: 'noted', reason: 'x' }), sent('m2', asked));
    expect(named(asks)).toEqual(['takeEvent with record']);
    expect(viewIn(asks)).toMatchObject({ messages: 2 });
    expect(named(await stand.end())).toEqual(['takeEvent with perform']);
  });

  it('takes what its recorded view shows: nothing, if that shows neither a message nor a deadline', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', asked));
    expect(named(await stand.end(undefined, { messages: 0 }))).toEqual(['takeEvent with perform']);
    expect(stand.snapshot).toMatchObject({ waitingMessages: 1 });
    const waiting = await begun(dueIn(30));
    await waiting.fire();
    expect(named(await waiting.end(seen(waiting.now), { isDue: false }))).toEqual(['startTimer']);
  });

  it.each([
    ['nothing', null],
    ['a text', 'm1'],
    ['no id', { event: asked }],
    ['an id that is no text', { id: 1, event: asked }],
    ['no event', { id: 'm1', event: null }],
    ['the event of another signal', { id: 'm1', event: told }],
    ['an event that no signal brings', { id: 'm1', event: made }],
  ])('ignores a signal that holds %s, and tells operators', async (_what, argument) => {
    const stand = await begun(idle);
    const job: Job = { type: 'signalled', name: 'asked', argument };
    expect(await stand.take(job)).toEqual([]);
    expect(stand.world.violations).toHaveLength(1);
    expect(stand.snapshot).toMatchObject({ version: 0, waitingMessages: 0 });
  });

  it('reads for a hint that came after the request that it takes first', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', asked), sent('m2', told));
    expect(named(await stand.end({ event: made, at: stand.now }))).toEqual(['takeEvent with observe']);
  });

  it('reads for news that came with a hint without news, and once for both the other way round', async () => {
    const news: Event = { type: 'told', isNews: true };
    const stand = await begun(idle);
    await stand.take(sent('m1', told), sent('m2', news), sent('m3', told));
    expect(named(await stand.end(seen(stand.now)))).toEqual(['takeEvent with observe']);
    expect(named(await stand.end(seen(stand.now)))).toEqual([]);
  });

  it('counts the hints that one read answers as taken', async () => {
    const stand = await begun(idle, { messagesPerRun: 2 });
    await stand.take(sent('m1', told), sent('m2', told));
    await stand.end(seen(stand.now));
    expect(stand.carried).toMatchObject({ seen: ['m1', 'm2'], waiting: [] });
  });
});

describe('a deadline', () => {
  it('whose read is made with the view is not read for again', async () => {
    const stand = await begun(dueIn(30));
    const asks = await stand.fire();
    expect(named(asks)).toEqual(['takeEvent with observe']);
    expect(viewIn(asks)).toEqual({ messages: 0, isDue: true, at: RunStand.startsAt + 30 });
    expect(named(await stand.end(seen(stand.now)))).toEqual([]);
    expect(stand.snapshot).toEqual({ state: idle, version: 2, waitingMessages: 0 });
  });

  it('is taken when it is due, by the clock of the server, also if the worker’s is behind', async () => {
    const stand = await begun(dueIn(30, 'stepCameDue'));
    await stand.fire();
    stand.aheadMs = -20;
    expect(named(await stand.end())).toEqual(['persistCause']);
    const at = RunStand.startsAt + 30;
    expect(positionIn(await stand.end())).toMatchObject({ timeline: [{ event: 'stepCameDue', at }] });
  });

  it('that has come by the history needs no timer, and any other has one of a millisecond at least', async () => {
    const stand = new RunStand(dueIn(-5));
    expect(await stand.begin()).toMatchObject([{ type: 'startTimer', ms: 1 }]);
    const later = await begun(dueIn(30));
    later.aheadMs = 40;
    await later.take(sent('m1', { type: 'noted', reason: 'x' }));
    expect(named(await later.end())).toEqual(['takeEvent with observe']);
  });
});

describe('a run from before views were recorded', () => {
  const older = { recordsTime: false, takesEvents: false };

  it('makes the step of a message at once, and of a deadline after another millisecond', async () => {
    const stand = await begun(dueIn(30, 'stepCameDue'), older);
    expect(named(await stand.take(sent('m1', asked)))).toEqual(['cancelTimer', 'perform']);
    expect(await stand.end({ event: made, at: stand.now })).toMatchObject([{ type: 'startTimer', ms: 30 }]);
    stand.now += 4;
    expect(await stand.fire()).toMatchObject([{ type: 'startTimer', ms: 1 }]);
    const asks = await stand.fire();
    expect(named(asks)).toEqual(['perform']);
    const due = { event: 'stepCameDue', at: RunStand.startsAt + 34 };
    expect(positionIn(asks)).toMatchObject({ timeline: [due], taskStartedAt: stand.now });
  });

  it('takes a deadline that has come before any message, and a message before a deadline that comes with it', async () => {
    const past = new RunStand(dueIn(-5), older);
    expect(named(await past.begin())).toEqual(['observe']);
    const stand = await begun(dueIn(30), older);
    stand.now += 30;
    expect(named(await stand.take(sent('m1', asked)))).toEqual(['cancelTimer', 'perform']);
  });

  it('takes what came before its first task signal by signal', async () => {
    const stand = new RunStand(idle, older);
    const early = [sent('m1', { type: 'noted', reason: 'x' }), sent('m2', asked)];
    expect(named(await stand.begin(...early))).toEqual(['perform']);
  });

  it('waits for a message without a deadline, and its next task begins with it', async () => {
    const stand = await begun(idle, older);
    stand.now += 9;
    const asks = await stand.take(sent('m1', { type: 'noted', reason: 'x' }));
    expect(named(asks)).toEqual(['record']);
    expect(positionIn(asks)).toMatchObject({ taskStartedAt: stand.now, timeline: [{ at: stand.now }] });
  });

  it.each([
    ['share a read', true, 1],
    ['do not, if it is older still', false, 2],
  ])('waiting hints %s', async (_what, shares, reads) => {
    const stand = await begun(idle, { ...older, sharesReads: () => shares, messagesPerRun: 9 });
    await stand.take(sent('m1', told), sent('m2', told), sent('m1', told));
    let made = 1;
    for (; (await stand.end(seen(stand.now))).length > 0;) made += 1;
    expect(made).toBe(reads);
    expect(await stand.take(sent('m2', told))).toEqual([]);
  });

  it('continues as new when the server says that its history is long, or after so many messages', async () => {
    const stand = await begun(idle, older);
    stand.isLong = true;
    await stand.take(sent('m1', told));
    await stand.take(sent('m2', asked));
    await stand.end(seen(stand.now));
    expect(stand.carried).toMatchObject({ seen: ['m1', 'm2'], waiting: [{ id: 'm2' }] });
    const counting = await begun(idle, { ...older, messagesPerRun: 2 });
    await counting.take(sent('m1', told), sent('m2', told));
    await counting.end(seen(counting.now));
    expect(counting.carried).toMatchObject({ waiting: [] });
  });

  it('records its view apart from the step, if it is only a little older', async () => {
    const stand = await begun(idle, { takesEvents: false });
    expect(named(await stand.take(sent('m1', asked)))).toEqual(['recordView']);
    expect(named(await stand.end())).toEqual(['perform']);
  });
});
