import { z } from 'zod';
import { Failure } from './failure.js';

const opened = z.object({ signInUrl: z.string() });

/** The address that lets one browser read payloads in Temporal's UI, for an hour; it works once. @throws Failure */
export async function openCodecLink(api: string, apiKey: string): Promise<string> {
  const answer = await fetch(`${api}/v1/codec-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Failure(`The API opened no codec session: it answered ${answer.status}.`);
  return opened.parse(await answer.json()).signInUrl;
}
