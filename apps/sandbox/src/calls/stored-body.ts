import type { Redaction } from './redaction.js';

/** Of each body; whoever needs more has the caller's own records. */
const MOST_CHARACTERS = 16_384;

export interface StoredBody {
  text: string | null;
  /** What of the body is not in the text, and why. */
  note: string | null;
}

const NOTHING: StoredBody = { text: null, note: null };

/** A body that nobody can read cannot be redacted either, so nothing of it is kept. */
const UNREAD: StoredBody = { text: null, note: 'not kept: it is not readable as JSON or as a form' };

export const TOO_MUCH_WAITING: StoredBody = {
  text: null,
  note: 'not kept: too much was waiting to be written',
};

/** @param body as the service read it; undefined when it read none. */
export function storedRequestBody(
  redaction: Redaction,
  body: unknown,
  headers: Readonly<Record<string, unknown>>,
): StoredBody {
  if (body === undefined || body === null) {
    const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    return isSent ? UNREAD : NOTHING;
  }
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded');
  const open = redaction.json(body);
  return cut(isForm ? writeForm(open) : JSON.stringify(open));
}

/** @param payload as it was written; null when none was. */
export function storedAnswerBody(redaction: Redaction, payload: string | null, answer: unknown): StoredBody {
  if (payload === null || payload === '') return NOTHING;
  return answer === undefined ? UNREAD : cut(JSON.stringify(redaction.json(answer)));
}

/** undefined for what is no JSON. */
export function parsedAnswer(payload: string | null): unknown {
  try {
    return payload === null ? undefined : JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/** One field a line: encoded signs would hide what was sent. */
function writeForm(fields: unknown): string {
  return Object.entries(fields as Record<string, unknown>)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

function cut(text: string): StoredBody {
  if (text.length <= MOST_CHARACTERS) return { text, note: null };
  return {
    text: text.slice(0, MOST_CHARACTERS),
    note: `cut: the first ${MOST_CHARACTERS} of ${text.length} characters`,
  };
}
