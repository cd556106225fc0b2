import { describe, expect, it } from 'vitest';
import { freshIdentity } from '#worker/steps/attempts/attempt-identity.js';
import { day, now, patience, payment } from '../../lifecycle/payment/sample-payments.js';
import { answering, captured, deferred, doubted, repeated, undone, unknownUntil } from './sample-attempts.js';
import { steps } from './stand.js';

const { StepStand } = steps;

/** The rows since an earlier moment are lost, and the run knows more than they do. */
function restored(stand: InstanceType<typeof StepStand>) {
  stand.restore = { restoredAt: new Date(now), restoredTo: new Date(now - day) };
  return stand;
}

describe('a step after the database was restored to an earlier moment', () => {
  it('is looked up under the identity that it may have been sent with, before anything is sent', async () => {
    const stand = restored(new StepStand(payment('capturing')));
    const before = new StepStand(payment('capturing'));
    await before.attempt(answering);
    const { event } = await stand.attempt(answering);
    expect(stand.sent).toEqual([]);
    const horizonAt = stand.now + 30_000 + patience.outcomeHorizonMs;
    expect(event).toMatchObject({ type: 'outcomeUnknown', horizonAt });
    expect(stand.attempts.map(({ reference }) => [reference])).toEqual([[before.sent[0]?.reference]]);
  });

  it.each([
    ['has been looked up since, is sent', now, undone, 1],
    ['was looked up before the restore, is looked up first', now + 1, undone, 0],
    ['cannot be looked up, as a payout’s, is sent', now, unknownUntil(now), 1],
    ['was lost, is looked up first', now, {}, 0],
  ])('that comes after one that %s', async (_what, restoredAt, recorded, times) => {
    const stand = restored(new StepStand(repeated('capturing', 1)));
    stand.restore = { restoredAt: new Date(restoredAt), restoredTo: new Date(now - day) };
    stand.madeBefore(0, recorded);
    await stand.attempt(answering);
    expect(stand.sent).toHaveLength(times);
  });

  it('is not compared with what is read after it may have been sent', async () => {
    const stand = restored(new StepStand(payment('reauthorizing'), { kind: 'reauthorize' }));
    expect(await stand.reauthorize()).toMatchObject({ event: { type: 'outcomeUnknown' } });
    expect(stand.attempts.map(({ step }) => step)).toEqual([stand.input.state.openStep?.step]);
  });

  it.each([
    ['whose payment is newer', { createdAt: now }, {}, 1],
    ['whose payment is as old', { createdAt: now - 1 }, {}, 0],
    ['whose request is a day newer', {}, { createdAt: now + day }, 1],
    ['whose request can be a repeat of one that was lost', {}, { createdAt: now + day - 1 }, 0],
  ])('%s is sent %j %j: %i times', async (_what, ofPayment, ofCommand, times) => {
    const stand = restored(new StepStand(payment('capturing')));
    stand.writeElsewhere(ofPayment);
    stand.acceptAs(ofCommand);
    await stand.attempt(answering);
    expect(stand.sent).toHaveLength(times);
  });

  it('gets the rows of all its attempts again: the lookup searches for each of them', async () => {
    const stand = restored(new StepStand(doubted(now + 1, { attempts: 2 })));
    const { reference } = stand.madeBefore(1, undone);
    expect(await stand.lookUp([() => captured])).toMatchObject({ event: captured });
    const [first, third] = [0, 2].map((attemptNumber) =>
      freshIdentity({ subjectId: 'pay_1', stepName: 'cmd_2', attemptNumber }),
    );
    expect(stand.lookups).toEqual([[first?.reference, reference, third?.reference]]);
    expect(stand.rows.findAttempt('pay_1', 'cmd_2', 2)).toMatchObject({ request_id: third?.requestId });
    expect(stand.attempts.map((row) => [row.attempt_number, row.outcome])).toEqual([
      [1, 'undone'],
      [0, null],
      [2, 'answered'],
    ]);
    expect(stand.attempts[1]?.step).toEqual(stand.input.state.openStep?.step);
  });

  it.each([
    ['older is searched for from the restored moment on', now - 1, -day],
    ['newer is searched for from its own begin on', now, 0],
  ])('of a payment that is %s', async (_what, createdAt, searchedFrom) => {
    const stand = restored(new StepStand(doubted(now, { attempts: 1 })));
    stand.writeElsewhere({ createdAt });
    stand.madeBefore(1);
    await stand.lookUp([() => captured]);
    expect(stand.searchedFrom).toEqual(new Date(now + searchedFrom));
  });

  it('is searched for from the begin of the attempt that the restore has left', async () => {
    const stand = restored(new StepStand(doubted(now, { attempts: 1 })));
    const begunAt = new Date(now - 3 * day);
    stand.madeBefore(0, { begun_at: begunAt });
    await stand.lookUp([() => captured]);
    expect(stand.searchedFrom).toEqual(begunAt);
  });

  it('that is made again gets the rows of those before it, and then its own', async () => {
    const stand = restored(new StepStand(repeated('capturing', 2)));
    stand.madeBefore(0, deferred(now));
    stand.writeElsewhere({ createdAt: now });
    await stand.attempt(answering);
    expect(stand.attempts.map((row) => [row.attempt_number, row.outcome])).toEqual([
      [0, 'deferred'],
      [1, null],
      [2, 'answered'],
    ]);
  });
});

it('a step whose database was never restored gets no rows but its own', async () => {
  const stand = new StepStand(repeated('capturing', 2));
  await stand.attempt(answering);
  expect(stand.attempts.map((row) => row.attempt_number)).toEqual([2]);
});
