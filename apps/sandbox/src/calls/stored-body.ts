import { excerptOf, MARGIN, MOST_CHARACTERS, type Excerpt } from './excerpt.js';
import type { Redaction } from './redaction.js';

export interface StoredBody {
  text: string | null;
  /** Which part of the body is not in the text, and why. */
  note: string | null;
}

const NOTHING: StoredBody = { text: null, note: null };

/** An unreadable body cannot be redacted either, so nothing of it is kept. */
const UNREAD: StoredBody = { text: null, note: 'not kept: it is not readable as JSON or as a form' };

/** @param body the beginning of what the service read; undefined when it read none. */
export function storedRequestBody(
  redaction: Redaction,
  body: Excerpt,
  headers: Readonly<Record<string, unknown>>,
): StoredBody {
  if (body.value === undefined || body.value === null) {
    const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    return isSent ? UNREAD : NOTHING;
  }
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded');
  const open = redaction.json(body.value);
  return cut(isForm ? writeForm(open) : JSON.stringify(open), body.isCut);
}

/** @param payload as it was written; null when none was. */
export function storedAnswerBody(redaction: Redaction, payload: string | null, answer: unknown): StoredBody {
  if (payload === null || payload === '') return NOTHING;
  if (answer === undefined) return UNREAD;
  const { value, isCut } = excerptOf(answer);
  return cut(JSON.stringify(redaction.json(value)), isCut);
}

/** undefined for what is no JSON. */
export function parsedAnswer(payload: string | null): unknown {
  try {
    return payload === null ? undefined : JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/** One field per line: encoded characters would hide what was sent. */
function writeForm(fields: unknown): string {
  return Object.entries(fields as Record<string, unknown>)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** @param isExcerpt whether more was sent than the text shows; a secret may then end where the text does. */
function cut(text: string, isExcerpt: boolean): StoredBody {
  if (!isExcerpt && text.length <= MOST_CHARACTERS) return { text, note: null };
  const kept = text.slice(
    0,
    Math.min(MOST_CHARACTERS, isExcerpt ? Math.max(0, text.length - MARGIN) : Infinity),
  );
  return { text: kept, note: `cut: only the first ${kept.length} characters are kept` };
}
