import { describe, expect, it } from 'vitest';
import { drawAuthorizePlan } from '../../tools/faults/authorize/plan.js';
import { type CampaignReport, failuresOf, summaryOf } from '../../tools/faults/campaign-report.js';
import { readOptions } from '../../tools/faults/options.js';
import { Random } from '../../tools/faults/random.js';
import { drawStrikes, fewestKills } from '../../tools/faults/strike-plan.js';

function drawn(seed: string) {
  const random = new Random(seed);
  return [drawStrikes(random.fork('strikes'), 100), drawAuthorizePlan(random.fork('1'), 'order-1')];
}

describe('the schedule of a campaign', () => {
  it('is the same for the same seed, and another one for another', () => {
    expect(drawn('one')).toEqual(drawn('one'));
    expect(drawn('one')).not.toEqual(drawn('two'));
  });

  it('does not depend on when another part draws', () => {
    const random = new Random('seed');
    const before = random.fork('lifecycle 7').fraction();
    random.fork('lifecycle 8').integer(1, 6);
    expect(random.fork('lifecycle 7').fraction()).toBe(before);
  });

  it.each([1, 10, 40, 200, 2_000])('has enough blows for %i lifecycles, all before the end', (lifecycles) => {
    const strikes = drawStrikes(new Random('seed'), lifecycles);
    expect(strikes.length).toBeGreaterThanOrEqual(fewestKills(lifecycles));
    const inFlight = strikes.filter(({ executesHeldAfterMs }) => executesHeldAfterMs !== undefined);
    expect(inFlight.length * 2).toBeGreaterThan(strikes.length);
    expect(Math.max(...strikes.map(({ afterStarted }) => afterStarted))).toBeLessThan(lifecycles);
  });

  it('kills both a worker and an API process, however short it is', () => {
    const targets = drawStrikes(new Random('seed'), 10).flatMap(({ targets }) => targets);
    expect(targets.map(({ kind }) => kind)).toEqual(['worker', 'api']);
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

describe('the verdict on a campaign', () => {
  const passed: CampaignReport = {
    lifecycles: 40,
    seed: 'seed',
    count: { kills: { worker: 2, api: 1 }, killsInFlight: 2 },
    faults: { drop_reply: 3 },
    discrepancies: [],
    explanations: [],
    accidents: [],
    seconds: 60,
    fsync: 'on',
  };

  it('passes with enough kills and no discrepancy', () => {
    expect(failuresOf(passed)).toEqual([]);
    expect(summaryOf(passed)).toMatchObject({
      lifecycles: 40,
      kills: { worker: 2, api: 1 },
      killsInFlight: 2,
      lost: 0,
      doubled: 0,
      stuck: 0,
      needsReview: 0,
      seconds: 60,
      fsync: 'on',
    });
  });

  it.each<[string, Partial<CampaignReport>]>([
    ['too few kills', { count: { kills: { worker: 1, api: 0 }, killsInFlight: 1 } }],
    ['too few of them in flight', { count: { kills: { worker: 4, api: 1 }, killsInFlight: 2 } }],
    ['a lost movement', { discrepancies: [{ kind: 'lost', what: '' }] }],
    ['a process that died by itself', { accidents: ['worker ended with exit code 1'] }],
    ['a database that does not sync', { fsync: 'off' }],
  ])('fails with %s', (_reason, change) => {
    expect(failuresOf({ ...passed, ...change })).toHaveLength(1);
  });
});

describe('the options of a campaign', () => {
  it('draw a seed where none is given', () => {
    expect(readOptions(['--lifecycles', '200']).seed).not.toBe(readOptions(['--lifecycles', '200']).seed);
    expect(readOptions(['--seed', 'mine', '--lifecycles', '200'])).toMatchObject({
      seed: 'mine',
      lifecycles: 200,
    });
  });

  it.each([['--lifecycles', 'many'], ['--lifecycles', '0'], ['--lifecicles', '2'], ['ten']])(
    'refuse %s %s in one sentence',
    (...args) => {
      expect(() => readOptions(args)).toThrow(/lifec|positional/i);
    },
  );
});
