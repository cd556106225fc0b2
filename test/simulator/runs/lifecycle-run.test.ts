import { describe, expect, it } from 'vitest';
import type { Job } from '#proof/simulator/temporal/history.js';
import type { Event, State } from './sample-lifecycle.js';
import { begun, decided, named, positionIn, sent, viewIn } from './sample-jobs.js';
import { RunStand } from './stand.js';

const idle: State = { status: 'idle' };
const asked: Event = { type: 'asked', commandId: 'cmd_1' };
const told: Event = { type: 'told' };
const made: Event = { type: 'made' };

describe('a step that moves money', () => {
  it('is carried out with the view if a message asks for it: the message is in the history', async () => {
    const stand = await begun(idle);
    stand.now += 5;
    const asks = await stand.take(sent('m1', asked));
    expect(named(asks)).toEqual(['takeEvent with perform']);
    expect(asks).toMatchObject([{ args: [{ messages: 1, at: stand.now }, { name: 'perform' }] }]);
    expect(Object.keys(viewIn(asks))).toEqual(['messages', 'at']);
    const line = { version: 1, event: 'asked', kind: 'moved', from: 'idle', to: 'busy', at: stand.now };
    expect(positionIn(asks)).toEqual({
      state: { status: 'busy' },
      version: 1,
      timeline: [{ ...line, commandId: 'cmd_1' }],
      knownStatus: 'idle',
      knownVersion: 0,
      ownLines: [],
      taskStartedAt: stand.now,
      before: { state: idle, version: 0 },
    });
    expect(stand.snapshot).toEqual({ state: { status: 'busy' }, version: 1, waitingMessages: 1 });
    expect(named(await stand.end({ event: made, at: stand.now }))).toEqual([]);
    expect(stand.snapshot).toEqual({ state: idle, version: 2, waitingMessages: 0 });
  });

  it('is begun in the next task if a deadline leads to it: the timer is in no history before', async () => {
    const due = { at: RunStand.startsAt + 60, event: { type: 'stepCameDue' } } as const;
    const stand = new RunStand({ ...idle, due });
    expect(await stand.begin()).toMatchObject([{ type: 'startTimer', ms: 60 }]);
    expect(stand.snapshot).toMatchObject({ nextDeadline: { at: due.at, event: 'stepCameDue' } });
    expect(named(await stand.fire())).toEqual(['takeEvent']);
    expect(named(await stand.end())).toEqual(['persistCause']);
    stand.now += 7;
    const asks = await stand.end();
    expect(named(asks)).toEqual(['perform']);
    expect(positionIn(asks)).toMatchObject({ taskStartedAt: stand.now, timeline: [{ at: due.at }] });
  });

  it('is begun in the next task after a read in the same task', async () => {
    const stand = await begun(idle);
    const asks = await stand.take(sent('m1', told), sent('m2', asked));
    expect(named(asks)).toEqual(['takeEvent with observe']);
    expect(named(await stand.end({ event: { type: 'seen' }, at: stand.now }))).toEqual(['takeEvent']);
    expect(named(await stand.end())).toEqual(['persistCause']);
    expect(named(await stand.end())).toEqual(['perform']);
  });

  it('is carried out with the view again once the read is in the history', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', told));
    await stand.end({ event: { type: 'seen' }, at: stand.now });
    expect(named(await stand.take(sent('m2', asked)))).toEqual(['takeEvent with perform']);
  });

  it('is begun in the next task after a read that was repeated because a newer task had written', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', told), sent('m2', asked));
    expect(named(await stand.end({ isLate: true, isUnpersisted: true }))).toEqual(['startTimer']);
    expect(named(await stand.fire())).toEqual(['observe']);
    expect(named(await stand.end({ event: { type: 'seen' }, at: stand.now }))).toEqual(['takeEvent']);
    expect(named(await stand.end())).toEqual(['persistCause']);
  });

  it('comes again in a newer task if a newer task had written, as the same attempt', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', asked));
    expect(await stand.end({ isLate: true })).toMatchObject([{ type: 'startTimer', ms: 1 }]);
    const asks = await stand.fire();
    expect(named(asks)).toEqual(['perform']);
    expect(positionIn(asks)).toMatchObject({
      version: 1,
      taskStartedAt: stand.now,
      timeline: [{ event: 'asked' }],
    });
    expect(await stand.end({ isLate: true, isUnpersisted: true })).toMatchObject([{ ms: 10 }]);
    await stand.take(sent('m2', asked));
    expect(named(await stand.fire())).toEqual(['perform']);
    // What comes next is in the history like the first request.
    expect(named(await stand.end({ event: made, at: stand.now }))).toEqual(['takeEvent with perform']);
    expect(stand.snapshot).toMatchObject({ version: 3 });
  });

  it('is carried out with the view after a late read that is in the history', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', told), sent('m2', asked));
    await stand.end({ isLate: true });
    expect(named(await stand.fire())).toEqual(['observe']);
    expect(named(await stand.end({ event: { type: 'seen' }, at: stand.now }))).toEqual([
      'takeEvent with perform',
    ]);
  });

  it('is undone to where its run stood before it', async () => {
    const stand = await begun(idle);
    await stand.take(sent('m1', { type: 'noted', reason: 'x' }));
    await stand.end();
    await stand.take(sent('m2', told), sent('m3', asked));
    await stand.end({ event: { type: 'seen' }, at: stand.now });
    await stand.end();
    const before = { state: { ...idle, reason: 'x' }, version: 3 };
    expect(positionIn(await stand.end())).toMatchObject({ version: 4, before });
    await stand.end({ event: made, at: stand.now, isUnfounded: true, wasRefused: true });
    expect(stand.snapshot).toMatchObject({ state: before.state, version: 4 });
  });

  it('of a first state is begun at once, and not again by the run that continues', async () => {
    const firstEffect = { type: 'perform' } as const;
    const stand = new RunStand({ status: 'busy' }, { firstEffect });
    expect(named(await stand.begin())).toEqual(['perform']);
    const next = new RunStand(idle, { firstEffect }, { state: idle, version: 4, seen: [], waiting: [] });
    expect(named(await next.begin())).toEqual([]);
    expect(next.snapshot).toMatchObject({ version: 4 });
  });
});

describe('a decision', () => {
  it('is in the history before it is held against the provider', async () => {
    const stand = await begun(idle);
    expect(named(await stand.take(decided('d1')))).toEqual(['answerUpdate', 'takeEvent']);
    expect(named(await stand.end())).toEqual(['persistCause']);
    expect(named(await stand.end())).toEqual(['verifyDecision']);
  });

  it('that is not allowed is refused at once; one that came before is not', async () => {
    const stand = await begun({ status: 'busy' });
    const refusal = { code: 'not_allowed_in_state', reason: 'It is busy.' };
    expect(await stand.take(decided('d1'))).toEqual([{ type: 'answerUpdate', id: 'd1', refusal }]);
    const continued = { state: { status: 'busy' }, version: 4, seen: ['d1'], waiting: [] } as const;
    const next = await begun(idle, {}, continued);
    expect(await next.take(decided('d1'))).toEqual([{ type: 'answerUpdate', id: 'd1' }]);
  });

  it('that is none is refused', async () => {
    const stand = await begun(idle);
    const job: Job = {
      type: 'updated',
      id: 'd1',
      name: 'decideReview',
      argument: { id: 'd1', event: asked },
    };
    const reason = 'This message is not a decision.';
    expect(await stand.take(job)).toEqual([
      { type: 'answerUpdate', id: 'd1', refusal: { code: 'not_allowed_in_state', reason } },
    ]);
  });
});
