import { describe, expect, it } from 'vitest';
import { begun, named, positionIn, sent } from './sample-jobs.js';
import { type Event, type State, lifecycle } from './sample-lifecycle.js';
import { RunStand } from './stand.js';

const idle: State = { status: 'idle' };
const asked: Event = { type: 'asked', commandId: 'cmd_1' };
const told: Event = { type: 'told' };
const made: Event = { type: 'made' };
const noted: Event = { type: 'noted', reason: 'x' };
const lookBefore = ({ status }: State, { type }: Event) =>
  status === 'busy' && type === 'asked' ? ({ type: 'observe' } as const) : undefined;
const nextDeadline = ({ due }: State) => due;
const ended: Event = { type: 'made', isLast: true };

describe('what a run takes without a call', () => {
  it('is written with the view if it has a line, and is known from then on', async () => {
    const stand = await begun(idle);
    const asks = await stand.take(sent('m1', noted));
    expect(named(asks)).toEqual(['takeEvent with record']);
    expect(positionIn(asks)).toMatchObject({ timeline: [{ version: 1, event: 'noted' }], ownLines: [] });
    expect(named(await stand.end())).toEqual([]);
    const next = await stand.take(sent('m2', asked));
    expect(positionIn(next)).toMatchObject({
      timeline: [{ version: 2, event: 'asked' }],
      ownLines: [{ version: 1, event: 'noted' }],
      before: { version: 1 },
    });
  });

  it('is not written if it has none', async () => {
    const stand = await begun(idle);
    expect(named(await stand.take(sent('m1', { type: 'heard' })))).toEqual(['takeEvent']);
    expect(named(await stand.end())).toEqual([]);
    expect(stand.snapshot).toMatchObject({ version: 0 });
  });

  it('is written in another task if a newer one has written', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', noted));
    expect(named(await stand.end({ isLate: true }))).toEqual(['startTimer']);
    const asks = await stand.fire();
    expect(named(asks)).toEqual(['record']);
    expect(positionIn(asks)).toMatchObject({ taskStartedAt: stand.now, timeline: [{ event: 'noted' }] });
    await stand.end();
    expect(positionIn(await stand.take(sent('m2', asked)))).toMatchObject({ timeline: [{ event: 'asked' }] });
  });

  it('is taken again by a deadline that has come, and not before', async () => {
    const due = { at: RunStand.startsAt + 9, event: { type: 'readCameDue' } } as const;
    const stand = new RunStand({ ...idle, due });
    expect(named(await stand.begin())).toEqual(['startTimer']);
    expect(named(await stand.take(sent('m1', { type: 'heard' })))).toEqual(['cancelTimer', 'takeEvent']);
    expect(named(await stand.end())).toEqual(['startTimer']);
    expect(named(await stand.fire())).toEqual(['takeEvent with observe']);
  });
});

describe('a request that its activity does not find accepted', () => {
  it.each([
    ['is undone, and that is told to operators', {}, 'conflict', 1],
    ['is undone without a word if its caller knows of the refusal', { wasRefused: true }, 'refused', 0],
  ])('%s', async (_what, more, kind, complaints) => {
    const stand = await begun(idle);
    await stand.take(sent('m1', asked));
    await stand.end({ event: made, at: stand.now, isUnfounded: true, ...more });
    expect(stand.snapshot).toEqual({ state: idle, version: 1, waitingMessages: 0 });
    expect(stand.world.violations).toHaveLength(complaints);
    const next = await stand.take(sent('m2', asked));
    expect(positionIn(next)).toMatchObject({
      timeline: [{ version: 2, event: 'asked' }],
      ownLines: [{ version: 1, event: 'asked', kind, to: 'idle' }],
    });
  });

  it.each([
    ['conflict', {}, 1],
    ['refused', { wasRefused: true }, 0],
  ])('and that makes no call is undone, too: %s', async (kind, more, complaints) => {
    const stand = await begun(idle);
    await stand.take(sent('m1', { ...noted, commandId: 'cmd_1' } as Event));
    await stand.end({ isUnfounded: true, ...more });
    expect(stand.snapshot).toMatchObject({ state: idle, version: 1 });
    expect(stand.world.violations).toHaveLength(complaints);
    expect(positionIn(await stand.take(sent('m2', asked)))).toMatchObject({ ownLines: [{ kind }] });
  });
});

describe('an end in the rows that the run does not know', () => {
  const end = { ended: { state: { status: 'done' }, version: 7 } };

  it('is read on from while it owes a read, and claims none of its lines', async () => {
    const due = { at: RunStand.startsAt + 50, event: { type: 'readCameDue' } } as const;
    const owing = { ...lifecycle, owesAfterEnd: (state: State) => state.due !== undefined, nextDeadline };
    const stand = await begun(idle, { lifecycle: owing });
    await stand.take(sent('m1', asked));
    const ended = { state: { status: 'done', due }, version: 7 };
    expect(named(await stand.end({ ended }))).toEqual(['startTimer']);
    const asks = await stand.fire();
    expect(named(asks)).toEqual(['takeEvent with observe']);
    expect(positionIn(asks)).toMatchObject({
      version: 8,
      knownVersion: 7,
      ownLines: [],
      knownStatus: 'done',
    });
    expect(named(await stand.end({ event: { type: 'seen' }, at: stand.now }))).toEqual(['complete']);
  });

  it.each([
    ['a call', asked],
    ['a line', noted],
  ])('ends the run, whoever wrote it, when it finds it by %s', async (_what, event) => {
    const stand = await begun(idle);
    await stand.take(sent('m1', event));
    expect(await stand.end(end)).toEqual([{ type: 'complete', result: { status: 'done' } }]);
    expect(stand.snapshot).toEqual({ ...end.ended, waitingMessages: 0 });
  });
});

describe('a run', () => {
  it('ends once the messages that came before its end are answered', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', asked));
    await stand.take(sent('m2', { type: 'heard' }));
    expect(named(await stand.end({ event: ended, at: stand.now }))).toEqual(['takeEvent']);
    expect(named(await stand.end())).toEqual(['complete']);
  });

  it('takes each message once, also one that an earlier run has taken', async () => {
    const continued = { state: idle, version: 3, seen: ['m1'], waiting: [] };
    const stand = await begun(idle, {}, continued);
    expect(await stand.take(sent('m1', asked))).toEqual([]);
    expect(named(await stand.take(sent('m2', asked), sent('m2', asked)))).toEqual(['takeEvent with perform']);
    expect(stand.snapshot).toMatchObject({ waitingMessages: 1 });
  });

  it('answers the hints that have come with one read, and what came after with another', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', told), sent('m2', told));
    await stand.take(sent('m3', told));
    expect(named(await stand.end({ event: { type: 'seen' }, at: stand.now }))).toEqual([
      'takeEvent with observe',
    ]);
    expect(stand.snapshot).toMatchObject({ waitingMessages: 1 });
    await stand.end({ event: { type: 'seen' }, at: stand.now });
    expect(stand.snapshot).toMatchObject({ waitingMessages: 0 });
  });

  it('reads before it refuses, in a task of its own, and takes the request when it has read', async () => {
    const stand = await begun({ status: 'busy' }, { lookBefore });
    expect(named(await stand.take(sent('m1', asked)))).toEqual(['takeEvent']);
    expect(named(await stand.end())).toEqual(['observe']);
    expect(named(await stand.end({ event: made, at: stand.now }))).toEqual(['recordView']);
    stand.now += 4;
    expect(named(await stand.end())).toEqual(['persistCause']);
    expect(positionIn(await stand.end())).toMatchObject({ timeline: [{ event: 'asked', at: stand.now }] });
  });

  it('does not continue as new while it has less behind it than it may, or has ended', async () => {
    const stand = await begun(idle, { messagesPerRun: 2, callsPerRun: 2 });
    await stand.take(sent('m1', asked));
    await stand.end({ event: made, at: stand.now });
    expect(stand.carried).toBeUndefined();
    await stand.take(sent('m2', asked));
    expect(named(await stand.end({ event: ended, at: stand.now }))).toEqual(['complete']);
    expect(stand.carried).toBeUndefined();
  });

  it.each([
    ['messages', { messagesPerRun: 1 }, false],
    ['calls', { callsPerRun: 1 }, false],
    ['history', {}, true],
  ])(
    'continues as new after enough %s, with what it has seen and all that waits',
    async (_what, limits, isLong) => {
      const stand = await begun(idle, limits);
      stand.isLong = isLong;
      await stand.take(sent('m1', asked));
      await stand.take(sent('m2', told), sent('m3', told), sent('m4', noted));
      await stand.end({ event: made, at: stand.now });
      expect(stand.carried).toMatchObject({
        state: idle,
        version: 2,
        knownVersion: 0,
        ownLines: [{ version: 1 }, { version: 2 }],
        seen: ['m1', 'm2', 'm3', 'm4'],
        waiting: [{ id: 'm2' }, { id: 'm4' }],
      });
    },
  );

  it('that continues begins with what waited, and names the lines of the run before', async () => {
    const line = { version: 3, event: 'noted', kind: 'moved', from: 'idle', to: 'idle', at: 1 } as const;
    const written = { knownVersion: 2, ownLines: [line] };
    const waiting = [{ id: 'm2', event: asked }];
    const stand = new RunStand(
      idle,
      {},
      { state: idle, version: 3, ...written, seen: ['m1', 'm2'], waiting },
    );
    const asks = await stand.begin();
    expect(named(asks)).toEqual(['takeEvent with perform']);
    expect(positionIn(asks)).toMatchObject({
      version: 4,
      ...written,
      timeline: [{ version: 4, event: 'asked' }],
    });
  });
});
