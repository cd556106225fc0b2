import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProviderApplication } from '../../../../libs/configuration/src/engine.js';
import type { NewApiCall } from '../../../../libs/database/src/api-calls.js';
import { type CallRecord, PaymentsClient } from '../../../../libs/payments-client/src/index.js';

/** Limit of one call that can move money, token and waits included: what a run waits before it looks instead. */
export const callLimitMs = 25_000;

/** Limit of one look: the run repeats it, and must not be deaf to its messages for longer. */
export const lookLimit = () => AbortSignal.timeout(6_000);

/** Limit of a search through pages, within that of an activity: cut short it would prove nothing, however often repeated. */
export const searchLimit = () => AbortSignal.timeout(30_000);

/** One client per application, so that each caches one token; the calls of an activity are collected for its rows. */
export class ProviderClients {
  private readonly clients = new Map<string, PaymentsClient>();
  private readonly calls = new AsyncLocalStorage<NewApiCall[]>();
  private readonly givingUp = new AbortController();

  constructor(applications: readonly ProviderApplication[]) {
    for (const application of applications) {
      this.clients.set(key(application), this.open(application));
    }
  }

  /** @throws when a run names an application that this worker is not configured for. */
  for(owner: { readonly environment: string; readonly application: string }): PaymentsClient {
    const client = this.clients.get(key(owner));
    if (!client) throw new Error(`no provider application ${key(owner)} is configured`);
    return client;
  }

  /** Runs `work` and gives back every exchange with the provider that it caused, redacted. */
  async recording<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly calls: readonly NewApiCall[] }> {
    const calls: NewApiCall[] = [];
    const result = await this.calls.run(calls, work);
    return { result, calls };
  }

  /**
   * Ends every wait for the provider: a POST that was sent is then in doubt, as after a lost reply, and its rows say so.
   * For a worker that is to end sooner than a provider may take to answer.
   */
  giveUp(): void {
    this.givingUp.abort();
  }

  async close(): Promise<void> {
    await Promise.all([...this.clients.values()].map((client) => client.close()));
  }

  private open({ baseUrl, clientId, clientSecret }: ProviderApplication): PaymentsClient {
    return new PaymentsClient({
      baseUrl,
      clientId,
      clientSecret,
      totalTimeoutMs: callLimitMs,
      signal: this.givingUp.signal,
      onCall: (record) => this.calls.getStore()?.push(toApiCall(record)),
    });
  }
}

function key({
  environment,
  application,
}: {
  readonly environment: string;
  readonly application: string;
}): string {
  return `${environment}/${application}`;
}

function toApiCall(record: CallRecord): NewApiCall {
  return {
    operation: record.operation,
    method: record.method,
    path: record.path,
    status: record.status,
    startedAt: record.startedAt,
    durationMs: record.durationMs,
    request: record.request ?? undefined,
    response: record.response ?? undefined,
    requestHeaders: record.requestHeaders,
    responseHeaders: record.responseHeaders,
    ...(record.requestId !== undefined && { requestId: record.requestId }),
    ...(record.debugId !== undefined && { debugId: record.debugId }),
    ...(record.transactionId !== undefined && { transactionId: record.transactionId }),
    ...(record.failure !== null && { error: record.failure }),
  };
}
