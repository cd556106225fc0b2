import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

/** An API under attack answers late, but it answers or its connection breaks. */
const answeredWithinMs = 75_000;
const firstWaitMs = 100;
const longestWaitMs = 2_000;

/** One exchange, redirects not followed. @throws when the connection breaks or nothing comes in time. */
export async function exchange(url: string, request: Request, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(url, {
    ...request,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answeredWithinMs)]),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * Repeats an exchange until it brings an answer that is none of 429 and 5xx, waiting as long as the server asks to.
 * @param send may choose another server each time.
 * @param isAgain further answers after which the same is to be sent again.
 */
export async function exchangeUntilAnswered(
  send: (attempt: number) => Promise<Answer>,
  signal: AbortSignal,
  isAgain: (answer: Answer) => boolean = () => false,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const answer = await send(attempt).catch(() => undefined);
    if (answer && answer.status !== 429 && answer.status < 500 && !isAgain(answer)) return answer;
    await sleep(waitBefore(attempt, answer), undefined, { signal });
  }
}

function waitBefore(attempt: number, answer: Answer | undefined): number {
  const asked = Number(answer?.headers.get('retry-after'));
  if (asked > 0) return asked * 1_000;
  return Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempt, 10));
}
