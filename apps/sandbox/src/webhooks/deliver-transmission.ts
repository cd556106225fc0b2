import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import type { AttemptReport } from './deliveries.js';
import type { Transmission } from './sign-delivery.js';

/** The rest of an answer's body is not read: its status alone acknowledges. */
const MOST_READ_BYTES = 16_384;

export type PostReport = Omit<AttemptReport, 'fault' | 'transmission_id'>;

/**
 * Sends a transmission and waits for the receiver's status until `signal` aborts. Never throws. A redirect is an
 * ordinary answer and is not followed.
 */
export async function postTransmission(
  url: string,
  { headers, body }: Transmission,
  signal: AbortSignal,
): Promise<PostReport> {
  const begun = performance.now();
  let read = 0;
  const report = (status: number | null, failure: string | null): PostReport => {
    const duration_ms = Math.round(performance.now() - begun);
    return { status, failure, duration_ms, response_bytes: status === null ? null : read };
  };
  try {
    const response = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'payments-sandbox-webhooks/1.0',
        ...headers,
      },
      body,
      signal,
    });
    try {
      for await (const chunk of response.body) {
        read += (chunk as Buffer).length;
        if (read >= MOST_READ_BYTES) break;
      }
    } catch {
      // The rest of the body does not matter.
    }
    return report(response.statusCode, null);
  } catch (error) {
    return report(null, failureOf(error));
  }
}

/** Why there is no answer, in one word: messages may contain the receiver's address, which may contain a secret. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'other';
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'HTTPParserError') return 'not_http';
  const code = 'code' in error ? String(error.code) : '';
  return FAILURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

const FAILURES: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'reset'],
  [/^(ENOTFOUND|EAI_)/, 'unknown_host'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'unreachable'],
  [/TIMEOUT|ETIMEDOUT/, 'timeout'],
  [/CERT|TLS|SSL|ERR_SSL/, 'tls'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/, 'not_http'],
];
