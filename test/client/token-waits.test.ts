import { describe, expect, it } from 'vitest';
import { forEachTest } from '../helpers/shared.js';
import { captureRequest, wirePayment } from './answers.js';
import { issueToken, json, neverAnswer, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };

describe('waiting for a token', () => {
  it('ends for a caller that aborts, and continues for the others', async () => {
    const question = Promise.withResolvers<() => void>();
    provider.scriptTokens((response, request) => question.resolve(() => issueToken()(response, request)));
    provider.script(json(200, wirePayment));
    const client = provider.client();
    const abort = new AbortController();
    const reason = new Error('the caller left');
    const leaving = client.payments.get('PAY-1', { signal: abort.signal });
    const staying = client.payments.get('PAY-1');
    const answer = await question.promise;
    abort.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    answer();
    await expect(staying).resolves.toMatchObject({ id: 'PAY-1' });
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('ends with the call’s total time limit, and nothing was sent', async () => {
    provider.scriptTokens(neverAnswer);
    const client = provider.client({ totalTimeoutMs: 50 });
    await expect(client.authorizations.capture('AUTH-1', captureRequest, key)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(provider.requests).toHaveLength(0);
  });

  it('ends when the client is closed', async () => {
    provider.scriptTokens(neverAnswer);
    const client = provider.client();
    const call = client.payments.get('PAY-1');
    await expect.poll(() => provider.tokenRequests.length).toBe(1);
    await Promise.all([
      client.close(),
      expect(call).rejects.toMatchObject({ kind: 'unavailable', reason: 'token_unavailable' }),
    ]);
  });

  it('does not begin for a call that is already aborted', async () => {
    const reason = new Error('left before coming');
    await expect(provider.client().payments.get('PAY-1', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(provider.tokenRequests).toHaveLength(0);
  });
});
