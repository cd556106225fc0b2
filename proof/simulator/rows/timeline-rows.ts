import type { Transition } from '#database/transitions';
import type { LifecycleState, TimelineEntry } from '#workflows/lifecycle';
import { making } from '../core/making.js';
import type { StoredLine, SubjectRow } from './row-types.js';

/** The lines of all timelines. */
export class TimelineRows {
  private readonly bySubject = new Map<string, Map<number, StoredLine>>();
  /** Up to which version a run has taken lines over, whoever has written them. */
  private readonly adopted = new Map<string, number>();

  /** By their versions, superseded ones included. */
  get(subjectId: string): ReadonlyMap<number, StoredLine> | undefined {
    return this.bySubject.get(subjectId);
  }

  subjects(): Iterable<[string, ReadonlyMap<number, StoredLine>]> {
    return this.bySubject;
  }

  write(subjectId: string, timeline: readonly TimelineEntry[]): void {
    const lines = this.bySubject.get(subjectId) ?? new Map<number, StoredLine>();
    this.bySubject.set(subjectId, lines);
    const made = making.getStore();
    for (const entry of timeline) {
      const known = lines.get(entry.version);
      const earlier = known?.by ?? [];
      const isAgain = known && isSame(known, entry);
      const isOwn = made && entry.version > (this.adopted.get(subjectId) ?? 0);
      const by = isOwn ? [...(isAgain ? earlier : []), made] : undefined;
      const over = [...(known?.over ?? []), ...(isAgain ? [] : earlier)];
      lines.set(entry.version, { ...entry, by, over });
    }
  }

  /** Lines that are neither the run's own nor of this write: of a lost task, or of another try of the same read. */
  supersede<State extends LifecycleState>({
    subject,
    version,
    knownVersion = version,
    timeline,
    ownLines = [],
  }: Transition<State>): void {
    const lines = this.bySubject.get(subject.id);
    const own = [...timeline, ...ownLines].map((entry) => entry.version);
    for (const [at, line] of lines ?? [])
      if (at > knownVersion && !own.includes(at)) lines?.set(at, { ...line, isSuperseded: true });
  }

  /** The run's own lines, where a lost task has written others in their place, or marked them. */
  restore<State extends LifecycleState>({ subject, ownLines = [] }: Transition<State>): void {
    const lines = this.bySubject.get(subject.id);
    const lost = ownLines.filter((own) => {
      const line = lines?.get(own.version);
      return line !== undefined && (line.isSuperseded === true || !isSame(line, own));
    });
    this.write(subject.id, lost);
  }

  /** A line that somebody finds written is theirs, too, whoever has written it last. It changes nothing that is shown. */
  claim<State extends LifecycleState>({ subject, timeline, ownLines = [] }: Transition<State>): void {
    const made = making.getStore();
    if (!made) return;
    const lines = this.bySubject.get(subject.id);
    for (const entry of [...ownLines, ...timeline]) {
      const known = lines?.get(entry.version);
      if (known?.by && isSame(known, entry)) lines?.set(entry.version, { ...known, by: [...known.by, made] });
    }
  }

  /** A run begins from the rows, or takes an end over from them: whoever has written their lines, they are its own. */
  adopt({ id: subjectId, version }: Pick<SubjectRow, 'id' | 'version'>): void {
    this.adopted.set(subjectId, version);
    const lines = this.bySubject.get(subjectId);
    for (const [at, line] of lines ?? []) if (!line.isSuperseded) lines?.set(at, { ...line, by: undefined });
  }
}

function isSame(one: TimelineEntry, other: TimelineEntry): boolean {
  return one.event === other.event && one.kind === other.kind && one.to === other.to;
}
