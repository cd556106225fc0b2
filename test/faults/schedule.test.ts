import { describe, expect, it } from 'vitest';
import { shop } from '#proof/faults/applications.js';
import { endingsOfHolds } from '#proof/faults/authorize/endings.js';
import { drawAuthorizePlan } from '#proof/faults/authorize/plan.js';
import { campaignLifecycles } from '#proof/faults/campaign/campaign-lifecycles.js';
import { type CampaignReport, failuresOf, summaryOf } from '#proof/faults/campaign/campaign-report.js';
import { Random } from '#proof/faults/random.js';
import { type StrikePlan, drawStrikes, fewestKills } from '#proof/faults/campaign/strike-plan.js';
import { victimKinds } from '#proof/faults/campaign/victim-kinds.js';

const onCluster = new Set(victimKinds);
const isKill = ({ how }: StrikePlan): boolean => how === 'kill';

function drawn(seed: string) {
  const random = new Random(seed);
  return [
    drawStrikes(random.fork('strikes'), 100, onCluster),
    drawAuthorizePlan(random.fork('1'), 'order-1', endingsOfHolds, shop),
  ];
}

describe('the schedule of a campaign', () => {
  it('is the same for the same seed, and differs for another', () => {
    expect(drawn('one')).toEqual(drawn('one'));
    expect(drawn('one')).not.toEqual(drawn('two'));
  });

  it('does not depend on when another part draws', () => {
    const random = new Random('seed');
    const before = random.fork('lifecycle 7').fraction();
    random.fork('lifecycle 8').integer(1, 6);
    expect(random.fork('lifecycle 7').fraction()).toBe(before);
  });

  it.each([1, 10, 40, 200, 2_000])(
    'has enough faults for %i lifecycles, all before the end',
    (lifecycles) => {
      const strikes = drawStrikes(new Random('seed'), lifecycles, onCluster).filter(isKill);
      expect(strikes.length).toBeGreaterThanOrEqual(fewestKills(lifecycles));
      const inFlight = strikes.filter(({ executesHeldAfterMs }) => executesHeldAfterMs !== undefined);
      expect(inFlight.length * 2).toBeGreaterThan(strikes.length);
      expect(Math.max(...strikes.map(({ afterStarted }) => afterStarted))).toBeLessThan(lifecycles);
    },
  );

  it('kills a worker, an API process, the engine’s PostgreSQL and the sandbox, however short it is', () => {
    const strikes = drawStrikes(new Random('seed'), 10, onCluster).filter(isKill);
    const targets = strikes.flatMap(({ targets: those }) => those);
    expect(targets.map(({ kind }) => kind)).toEqual(['worker', 'api', 'engine-postgres', 'sandbox']);
  });

  it('kills every kind of process in a campaign of 100 lifecycles, and all at once that could know of a request', () => {
    const strikes = drawStrikes(new Random('seed'), 100, onCluster).filter(isKill);
    const kinds = new Set(strikes.flatMap(({ targets }) => targets.map(({ kind }) => kind)));
    expect(kinds).toEqual(onCluster);
    const together = strikes.map(({ targets }) =>
      targets.map(({ kind, which }) => `${which} ${kind}`).join(' + '),
    );
    expect(together).toContain('all api + all worker + all temporal');
  });

  it('pauses processes of our own for longer than anything waits for them, one time for 40 lifecycles', () => {
    const pauses = drawStrikes(new Random('seed'), 2_000, onCluster).filter(({ how }) => how === 'pause');
    expect(pauses).toHaveLength(50);
    const kinds = new Set(pauses.flatMap(({ targets }) => targets.map(({ kind }) => kind)));
    expect([...kinds].toSorted()).toEqual(['api', 'sandbox', 'temporal', 'worker']);
    expect(Math.min(...pauses.map(({ awayForMs }) => awayForMs))).toBeGreaterThan(5_000);
    // An outcome horizon of a campaign is 30 s: the other worker makes the calls of the paused one.
    const long = pauses.filter(({ awayForMs }) => awayForMs > 35_000);
    expect(long).toHaveLength(10);
    expect(long.map(({ targets }) => targets)).toEqual(long.map(() => [{ kind: 'worker', which: 'one' }]));
  });

  it('names no process that the stage does not have', () => {
    const present = new Set(
      victimKinds.filter((kind) => kind !== 'temporal' && kind !== 'temporal-postgres'),
    );
    const strikes = drawStrikes(new Random('seed'), 2_000, present);
    for (const { targets } of strikes) expect(targets.length).toBeGreaterThan(0);
    expect(new Set(strikes.flatMap(({ targets }) => targets.map(({ kind }) => kind)))).toEqual(present);
  });

  it('draws numbers that are spread evenly', () => {
    const random = new Random('seed');
    const faces = Array.from({ length: 6_000 }, () => random.integer(1, 6));
    for (let face = 1; face <= 6; face += 1) {
      const share = faces.filter((drawn) => drawn === face).length / faces.length;
      expect(Math.abs(share - 1 / 6)).toBeLessThan(0.02);
    }
  });
});

describe.each(campaignLifecycles)('the lifecycle $name of a campaign', (lifecycle) => {
  const titles = (seed: string): string[] =>
    Array.from({ length: 40 }, (_, index) => {
      const { title, application } = lifecycle.draw(new Random(`${seed}/${index}`), `order-${index}`);
      return `${title}, for ${application}`;
    });

  it('draws the same scenarios from the same seed, and several kinds of them', () => {
    expect(titles('seed')).toEqual(titles('seed'));
    expect(new Set(titles('seed')).size).toBeGreaterThan(1);
  });

  it('aims its own faults at applications of its own, for which some of its scenarios are played', () => {
    const aimedAt = new Set((lifecycle.faults ?? []).map(({ application }) => application));
    const played = new Set(
      Array.from({ length: 40 }, (_, nth) => lifecycle.draw(new Random(`aim/${nth}`), 'order-1').application),
    );
    for (const application of aimedAt) {
      expect(application).not.toBe(shop.name);
      expect(played).toContain(application);
    }
  });

  it('runs for applications that the provider knows', () => {
    const names = new Set(lifecycle.applications.map(({ name }) => name));
    for (let index = 0; index < 40; index += 1) {
      expect(names).toContain(lifecycle.draw(new Random(`seed/${index}`), 'order-1').application);
    }
  });
});

describe('the verdict on a campaign', () => {
  const passed: CampaignReport = {
    lifecycles: 40,
    mix: { authorize: 40 },
    seed: 'seed',
    count: { kills: { worker: 2, api: 1 }, killsInFlight: 2, pauses: { worker: 1 } },
    faults: { drop_reply: 3 },
    discrepancies: [],
    explanations: [],
    requests: 90,
    endsReported: 40,
    notifications: { sent: 150, receiverFaults: { refused: 9, late: 1, brokenOff: 2, died: 2 } },
    failedTasks: { byMessage: 1, otherwise: 0, timedOut: 1 },
    accidents: [],
    restarts: 0,
    seconds: 60,
    fsync: 'on',
  };

  it('passes with enough kills and no discrepancy', () => {
    expect(failuresOf(passed)).toEqual([]);
    expect(Object.keys(summaryOf(passed)).slice(0, 11)).toEqual([
      'lifecycles',
      'kills',
      'killsInFlight',
      'faults',
      'lost',
      'doubled',
      'stuck',
      'needsReview',
      'finalUndone',
      'seconds',
      'fsync',
    ]);
    expect(summaryOf(passed)).toMatchObject({
      lifecycles: 40,
      kills: { worker: 2, api: 1 },
      killsInFlight: 2,
      lost: 0,
      doubled: 0,
      stuck: 0,
      needsReview: 0,
      finalUndone: 0,
      seconds: 60,
      fsync: 'on',
      notifications: { sent: 150, lost: 0, outOfOrder: 0, beforeTheFact: 0 },
    });
  });

  it('reports failed tasks, which a short one may be without', () => {
    const failedTasks = { byMessage: 0, otherwise: 0, timedOut: 0 };
    expect(failuresOf({ ...passed, failedTasks })).toEqual([]);
    expect(summaryOf(passed)).toMatchObject({ failedTasks: { byMessage: 1, otherwise: 0, timedOut: 1 } });
  });

  it.each<[string, Partial<CampaignReport>]>([
    ['too few kills', { count: { kills: { worker: 1, api: 0 }, killsInFlight: 1, pauses: { worker: 1 } } }],
    [
      'too few of them in flight',
      { count: { kills: { worker: 4, api: 1 }, killsInFlight: 2, pauses: { worker: 1 } } },
    ],
    ['a lost movement', { discrepancies: [{ kind: 'lost', what: '' }] }],
    ['an end that was undone', { discrepancies: [{ kind: 'finalUndone', what: '' }] }],
    ['a lost notification', { discrepancies: [{ kind: 'notificationLost', what: '' }] }],
    ['a notification out of order', { discrepancies: [{ kind: 'notificationOutOfOrder', what: '' }] }],
    ['a notification before its fact', { discrepancies: [{ kind: 'notificationEarly', what: '' }] }],
    ['hardly any notification', { notifications: { ...passed.notifications, sent: 39 } }],
    [
      'receivers that never failed',
      { notifications: { sent: 150, receiverFaults: { refused: 0, late: 0, brokenOff: 0, died: 0 } } },
    ],
    ['hardly an end that was told', { endsReported: 19 }],
    ['a payment in review of 40', { discrepancies: [{ kind: 'needsReview', what: '' }] }],
    ['an engine that declines whatever meets a fault', { explanations: Array<string>(7).fill('declined') }],
    ['hardly anything accepted', { requests: 39 }],
    ['no fault that has struck', { faults: { drop_reply: 0 } }],
    ['a process that died by itself', { accidents: ['worker ended with exit code 1'] }],
    ['a database that does not sync', { fsync: 'off' }],
    [
      'hundred lifecycles, and no task that a message, death or pause has met',
      {
        lifecycles: 100,
        endsReported: 100,
        requests: 100,
        count: { kills: { worker: 5 }, killsInFlight: 5, pauses: { worker: 1 } },
        failedTasks: { byMessage: 0, otherwise: 0, timedOut: 0 },
      },
    ],
  ])('fails with %s', (_reason, change) => {
    expect(failuresOf({ ...passed, ...change })).toHaveLength(1);
  });
});

function inReview(count: number): string[] {
  return failuresOf({
    lifecycles: 2_000,
    mix: { authorize: 2_000 },
    seed: 'seed',
    count: { kills: { worker: 100 }, killsInFlight: 50, pauses: { worker: 1 } },
    faults: { late: 1 },
    discrepancies: Array.from({ length: count }, () => ({ kind: 'needsReview', what: '' }) as const),
    explanations: [],
    requests: 4_000,
    endsReported: 2_000,
    notifications: { sent: 9_000, receiverFaults: { refused: 900, late: 90, brokenOff: 200, died: 20 } },
    failedTasks: { byMessage: 1, otherwise: 0, timedOut: 1 },
    accidents: [],
    restarts: 3,
    seconds: 60,
    fsync: 'on',
  });
}

describe('the verdict on a campaign of 2,000 lifecycles', () => {
  it('passes with one review in a hundred, and fails with one more', () => {
    expect(inReview(20)).toEqual([]);
    expect(inReview(21)).toEqual(['21 need review']);
  });
});
