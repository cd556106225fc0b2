import { expect, it } from 'vitest';
import type { LifecycleState, TimelineEntry } from '#workflows/lifecycle';
import { UnrecordedTimeline } from '#workflows/run/unrecorded-timeline.js';

interface Something extends LifecycleState {
  readonly status: 'going' | 'ended';
}

const going = (version: number) => ({ state: { status: 'going' } as Something, version });

it('a run names all lines that it has written since it began, so that lines of lost tasks are recognized', () => {
  const timeline = new UnrecordedTimeline(going(3));
  writeLines(timeline, [4, 6]);
  const { knownVersion, ownLines, timeline: unwritten } = timeline.forActivity(going(6), 1);
  expect({ knownVersion, own: ownLines?.map(({ version }) => version), unwritten }).toEqual({
    knownVersion: 3,
    own: [4, 6],
    unwritten: [],
  });
});

it('the last sixteen lines of a long run are named, and the lines before them are known as they are', () => {
  const timeline = new UnrecordedTimeline(going(0));
  writeLines(
    timeline,
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  const { knownVersion, ownLines } = timeline.forActivity(going(20), 1);
  expect([knownVersion, ownLines?.[0]?.version, ownLines?.length]).toEqual([4, 5, 16]);
});

it('a run that continues another one also names the lines of that one', () => {
  const first = new UnrecordedTimeline(going(0));
  writeLines(first, [1, 2]);
  const next = new UnrecordedTimeline(going(5), first.written);
  writeLines(next, [6]);
  expect(next.written).toEqual({ knownVersion: 0, ownLines: [entry(1), entry(2), entry(6)] });
});

it('a run that takes an end over from the rows claims none of their lines', () => {
  const timeline = new UnrecordedTimeline(going(0));
  writeLines(timeline, [1, 2]);
  timeline.add(entry(3));
  timeline.adopt({ state: { status: 'ended' }, version: 7 });
  expect(timeline.written).toEqual({ knownVersion: 7, ownLines: [] });
  expect(timeline.isEmpty).toBe(true);
  expect(timeline.forActivity(going(8), 1).knownStatus).toBe('ended');
});

it('an activity that records the next event knows the status that was last written, and all lines since', () => {
  const timeline = new UnrecordedTimeline(going(3));
  timeline.add(entry(4));
  const ended = { state: { status: 'ended' } as Something, version: 4 };
  expect(timeline.after(ended, entry(5)).forActivity(going(5), 1)).toMatchObject({
    knownStatus: 'going',
    timeline: [entry(4), entry(5)],
  });
});

it('an activity gets the position before a request, to which it returns if nobody has accepted the request', () => {
  const timeline = new UnrecordedTimeline(going(3));
  expect(timeline.forActivity(going(3), 1)).not.toHaveProperty('before');
  timeline.beginFrom(going(4));
  for (const line of [{ ...entry(5), event: 'captureRequested', commandId: 'cmd_1' }, entry(6)])
    timeline.add(line);
  expect(timeline.forActivity(going(6), 9)).toMatchObject({
    ...going(6),
    before: going(4),
    taskStartedAt: 9,
  });
  expect(timeline.undoRequest('notAccepted')).toEqual(going(5));
  // The activity has written the line that says so.
  const { timeline: unwritten, ownLines, before } = timeline.forActivity(going(5), 9);
  expect([unwritten, ownLines?.map(({ version }) => version), before]).toEqual([[], [5], undefined]);
});

it('the status that the rows have is known after each write', () => {
  const timeline = new UnrecordedTimeline(going(3));
  expect(timeline.forActivity(going(3), 1).knownStatus).toBe('going');
  timeline.markWritten({ state: { status: 'ended' }, version: 4 });
  expect(timeline.forActivity(going(4), 1).knownStatus).toBe('ended');
});

function writeLines(timeline: UnrecordedTimeline<Something>, versions: readonly number[]): void {
  for (const version of versions) {
    timeline.add(entry(version));
    timeline.markWritten(going(version));
  }
}

function entry(version: number): TimelineEntry {
  return { version, event: 'told', kind: 'moved', from: 'going', to: 'going', at: version };
}
