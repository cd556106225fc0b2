/** The limit of each body; a caller who needs more has its own records. */
export const MOST_CHARACTERS = 16_384;
/**
 * What is read beyond the limit, and dropped again from the end of a body that was cut: a secret that was cut in two
 * would not be recognized by its first half. Longer than any secret of this service.
 */
export const MARGIN = 1_024;
/** Deeper than any body of the interface; limits every recursion over a body. */
const DEEPEST_NESTING = 32;
/** Quotes, colon and comma, or brackets: the size of a part of a body besides its characters. */
const COST_OF_A_PIECE = 6;

export interface Excerpt {
  /** A copy that shares no memory with its source. */
  readonly value: unknown;
  readonly isCut: boolean;
  /** Characters, and a little for each part. */
  readonly size: number;
}

/**
 * The beginning of a JSON value, as far as the history can keep it. Everything that costs more than one step per
 * character runs on this, never on what a caller sent.
 */
export function excerptOf(value: unknown): Excerpt {
  const reader = new ExcerptReader();
  return { value: reader.read(value, DEEPEST_NESTING), isCut: reader.isCut, size: reader.size };
}

class ExcerptReader {
  size = 0;
  isCut = false;

  read(value: unknown, levelsLeft: number): unknown {
    this.size += COST_OF_A_PIECE;
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (levelsLeft === 0) {
      this.isCut = true;
      return null;
    }
    return Array.isArray(value) ? this.#list(value, levelsLeft - 1) : this.#fields(value, levelsLeft - 1);
  }

  #list(items: readonly unknown[], levelsLeft: number): unknown[] {
    const kept: unknown[] = [];
    for (const item of items) {
      if (this.#isFull()) break;
      kept.push(this.read(item, levelsLeft));
    }
    return kept;
  }

  #fields(fields: object, levelsLeft: number): object {
    const kept: [string, unknown][] = [];
    // Not Object.entries: it would copy an object of which little is kept.
    for (const name in fields) {
      if (!Object.hasOwn(fields, name)) continue;
      if (this.#isFull()) break;
      kept.push([this.#text(name), this.read(fields[name as keyof typeof fields], levelsLeft)]);
    }
    return Object.fromEntries(kept);
  }

  #text(text: string): string {
    const room = Math.max(0, MOST_CHARACTERS + MARGIN - this.size);
    this.size += Math.min(text.length, room);
    if (text.length <= room) return text;
    this.isCut = true;
    // Through bytes: a slice would keep the whole text in memory.
    return Buffer.from(text.slice(0, room)).toString();
  }

  #isFull(): boolean {
    const isFull = this.size >= MOST_CHARACTERS + MARGIN;
    this.isCut ||= isFull;
    return isFull;
  }
}
