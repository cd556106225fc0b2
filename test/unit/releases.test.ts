import { describe, expect, it } from 'vitest';
import { type OrderService } from '#proof/faults/order-service.js';
import { Random } from '#proof/faults/random.js';
import { drawChanges } from '#proof/releases/changes.js';
import { DelayClock } from '#proof/releases/delays.js';
import { bundleWith, patchPlaces } from '#proof/releases/generated-bundle.js';
import { readOptions } from '#proof/releases/options.js';
import { type ReleasesReport, failuresOf, summaryOf } from '#proof/releases/report.js';

const seeds = Array.from({ length: 50 }, (_, index) => `seed ${index}`);
const drawn = (seed: string, count = 50) => drawChanges(new Random(seed), count);

describe('the changes of a campaign of releases', () => {
  it('are the same for the same seed', () => {
    expect(drawn('one')).toEqual(drawn('one'));
    expect(drawn('one')).not.toEqual(drawn('two'));
  });

  it('have a release that begins a patch, a migration, the way back and another scale among the first four', () => {
    const changes = drawn('one', 4).map(({ change }) => change);
    expect(changes).toMatchObject([
      { what: 'release', to: 1, migrates: true },
      { what: 'release', to: 2 },
      { what: 'back', to: 1 },
      { what: 'workers' },
    ]);
  });

  it.each(seeds)('never put a release beside one that cannot follow its patch, drawn from "%s"', (seed) => {
    let [now, highest] = [0, 0];
    for (const { change } of drawn(seed)) {
      if (!('to' in change)) continue;
      expect(Math.abs(change.to - now)).toBe(1);
      // That before the newest one knows all patches that any run has begun.
      expect(change.to).toBeGreaterThanOrEqual(highest - 1);
      now = change.to;
      highest = Math.max(highest, now);
    }
    expect(highest).toBeGreaterThan(4);
  });

  it.each(seeds)('leave one to three workers and one or two APIs, drawn from "%s"', (seed) => {
    const scale = { workers: 2, APIs: 2 };
    for (const { change } of drawn(seed)) {
      if (!('count' in change)) continue;
      expect(change.count).not.toBe(scale[change.what]);
      scale[change.what] = change.count;
      expect(change.count).toBeGreaterThanOrEqual(1);
      expect(change.count).toBeLessThanOrEqual(change.what === 'workers' ? 3 : 2);
    }
  });
});

describe('a generated bundle', () => {
  it('is refused where the code has no place for its patch', () => {
    for (const place of patchPlaces) expect(() => bundleWith('', [{ id: 'one', place }])).toThrow(place);
  });
});

/** Each call lasts as long as it says. */
function stage() {
  let now = 0;
  const clock = new DelayClock(() => now);
  const service = clock.measured({
    submit: ({ lastsMs }: { lastsMs: number }) => {
      now += lastsMs;
      return Promise.resolve();
    },
  } as unknown as OrderService);
  let key = 0;
  const call = async (lastsMs: number, known?: string): Promise<void> =>
    await service.submit(
      { kind: 'capture', key: known ?? String(key++), lastsMs } as never,
      AbortSignal.timeout(1_000),
    );
  const pass = (ms: number) => (now += ms);
  return { clock, call, pass };
}

describe('the delay of accepted calls', () => {
  it('is what a call under a deployment took beyond the median of the others', async () => {
    const { clock, call } = stage();
    for (const lastsMs of [90, 100, 100, 110, 400]) await call(lastsMs);
    await clock.deployment('a release', async () => {
      await call(150);
      await call(1_300);
    });
    expect(clock.measure()).toMatchObject({
      longestMs: 1_200,
      longestOtherwiseMs: 300,
      usualMs: { capture: 100 },
      calls: 2,
    });
    expect(clock.measure().slowest[0]).toContain('1200 ms beyond usual');
  });

  it('counts calls soon after a deployment, and neither later ones nor those that met a kill', async () => {
    const { clock, call, pass } = stage();
    for (let times = 0; times < 5; times += 1) await call(100);
    await clock.deployment('a release', () => Promise.resolve());
    pass(10_000);
    await call(700);
    pass(20_000);
    await call(5_000);
    await clock.kill(() => call(9_000));
    expect(clock.measure()).toMatchObject({ longestMs: 600, longestOtherwiseMs: 4_900, calls: 1 });
  });

  it('counts a repetition as another kind of call, and one without an outcome until now', async () => {
    const { clock, call, pass } = stage();
    for (let times = 0; times < 5; times += 1) await call(100, 'one');
    expect(clock.measure().usualMs).toEqual({ capture: 100, 'capture again': 100 });
    const never = clock.measured({ submit: () => new Promise(() => undefined) } as unknown as OrderService);
    await clock.deployment('a release', async () => {
      await Promise.resolve();
      void never.submit({ kind: 'capture', key: 'never' } as never, AbortSignal.timeout(1_000));
    });
    pass(30_000);
    expect(clock.measure().longestMs).toBe(29_900);
  });
});

describe('the report of a campaign of releases', () => {
  const passed: ReleasesReport = {
    changes: drawn('one', 4).map(({ change }) => change),
    seed: 'one',
    lifecycles: 20,
    requests: 40,
    count: { kills: { worker: 1 }, killsInFlight: 1, pauses: {} },
    histories: { nonDeterministic: 0, crossed: 5, patched: 5, runs: 25 },
    reported: 0,
    delays: { longestMs: 1_999, longestOtherwiseMs: 100, usualMs: {}, calls: 30, slowest: [] },
    discrepancies: [],
    explanations: [],
    accidents: [],
    seconds: 100,
  };

  it('passes, and its last line says what it promises', () => {
    expect(failuresOf(passed)).toEqual([]);
    expect(Object.keys(summaryOf(passed)).slice(0, 6)).toEqual([
      'changes',
      'nonDeterministic',
      'stuck',
      'lost',
      'doubled',
      'longestDelayMs',
    ]);
    expect(summaryOf(passed)).toMatchObject({ made: { release: 2, back: 1, workers: 1 }, lost: 0 });
  });

  it.each<[string, Partial<ReleasesReport>]>([
    ['a failed task in a history', { histories: { ...passed.histories, nonDeterministic: 1 } }],
    ['a failed task in a log', { reported: 1 }],
    ['a doubled movement', { discrepancies: [{ kind: 'doubled', what: '' }] }],
    ['a call that waited too long', { delays: { ...passed.delays, longestMs: 2_001 } }],
    ['hardly a call under a deployment', { delays: { ...passed.delays, calls: 3 } }],
    ['hardly a run that met two releases', { histories: { ...passed.histories, crossed: 3 } }],
    ['no run with a patch', { histories: { ...passed.histories, patched: 0 } }],
    ['a process that died by itself', { accidents: ['worker ended with exit code 1'] }],
    ['hardly anything accepted', { requests: 19 }],
    ['an engine that gives up', { explanations: Array<string>(5).fill('declined') }],
  ])('fails with %s', (_reason, change) => {
    expect(failuresOf({ ...passed, ...change })).toHaveLength(1);
  });
});

describe('the options of a campaign of releases', () => {
  it('are fifty changes from a seed of their own by default', () => {
    expect(readOptions([])).toMatchObject({ changes: 50, temporal: 'development', isUnpatched: false });
    expect(readOptions([]).seed).not.toBe(readOptions([]).seed);
    expect(readOptions(['--changes', '4', '--seed', 'one', '--unpatched'])).toMatchObject({
      changes: 4,
      seed: 'one',
      isUnpatched: true,
    });
  });
});
