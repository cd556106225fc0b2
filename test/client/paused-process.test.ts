import { Agent, type Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureRequest, wireCapture } from './answers.js';
import { issueToken, json, type ScriptedProvider, startScriptedProvider } from './scripted-provider.js';

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
  provider.script(json(201, wireCapture));
});
afterEach(async () => {
  vi.useRealTimers();
  await provider.close();
});

const key = { requestId: 'request-1' };

/** As for a process that is stopped, or a machine that sleeps: its timers have not fired when it goes on. */
function passAnHour(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
}

/** Others take the end of a call's time limit for the latest instant at which it can have been sent. */
describe('a process that is paused for longer than the time limit of its call sends nothing after it', () => {
  it('when the pause came while it waited for a token', async () => {
    provider.scriptTokens((response, request) => {
      passAnHour();
      issueToken()(response, request);
    });
    const call = provider.client().authorizations.capture('AUTH-1', captureRequest, key);
    await expect(call).rejects.toMatchObject({ kind: 'unavailable', reason: 'timed_out' });
    expect(provider.requests).toEqual([]);
  });

  it('when the pause came while it waited before a repeat', async () => {
    const tooMany = { name: 'RATE_LIMIT_REACHED', message: 'prose', debug_id: 'debug-1' };
    provider.script(json(429, tooMany, { 'retry-after': '0' }), json(201, wireCapture));
    const client = provider.client({
      onCall: ({ status }) => void (status === 429 && setImmediate(passAnHour)),
    });
    await expect(client.authorizations.capture('AUTH-1', captureRequest, key)).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'timed_out',
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('when the pause came while it waited for a connection', async () => {
    const agent = new Agent();
    const dispatcher = {
      dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
        if (options.path.includes('capture')) passAnHour();
        return agent.dispatch(options, handler);
      },
    } as Dispatcher;
    const call = provider.client({ dispatcher }).authorizations.capture('AUTH-1', captureRequest, key);
    await expect(call).rejects.toMatchObject({ kind: 'unavailable', reason: 'timed_out' });
    expect(provider.requests).toEqual([]);
    await agent.close();
  });
});
