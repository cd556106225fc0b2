import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import { type ProviderApplication, type ApplicationName, nameOf } from '#configuration';
import type { NewApiCall } from '#database/calls';
import type { Tracing } from '#observability';
import { type CallRecord, PaymentsClient, type SentCall } from '#payments-client';
import type { Telemetry } from '../telemetry.js';
import { log } from '../process/log.js';
import { UnconfiguredApplicationError } from './unconfigured-application-error.js';

/** Limits the log lines: each run that waits for the application retries every few seconds. */
const toldEveryMs = 60_000;

/** The limit of one call that can move money, including token and waits. Afterwards the run looks the outcome up. */
export const callLimitMs = 25_000;

/** The limit of one lookup. The run repeats lookups, and must not block its messages for longer. */
export const lookLimit = () => AbortSignal.timeout(6_000);

/**
 * The limit of a search through pages, within the activity's limit. A search that is cut short proves nothing, however
 * often it is repeated.
 */
export const searchLimit = () => AbortSignal.timeout(30_000);

/**
 * One client per application, so that each caches one token. The calls of an activity are collected for the call
 * history.
 */
export class ProviderClients {
  private readonly clients = new Map<string, PaymentsClient>();
  private readonly calls = new AsyncLocalStorage<NewApiCall[]>();
  private readonly givingUp = new AbortController();
  /** When each missing application was last logged. */
  private readonly toldAt = new Map<string, number>();

  constructor(
    applications: readonly ProviderApplication[],
    private readonly logger: Pick<Logger, 'error'> = log,
    private readonly telemetry: Telemetry = {},
  ) {
    for (const application of applications) {
      this.clients.set(nameOf(application), this.open(application));
    }
  }

  /** @throws {UnconfiguredApplicationError} if this worker is not configured for the run's application. */
  for(owner: ApplicationName): PaymentsClient {
    const client = this.clients.get(nameOf(owner));
    if (client) return client;
    this.tellOfMissing(owner);
    throw new UnconfiguredApplicationError(`no provider application ${nameOf(owner)} is configured`);
  }

  /** Runs `work` and returns all its calls to the provider, redacted. */
  async recording<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly calls: readonly NewApiCall[] }> {
    const calls: NewApiCall[] = [];
    const result = await this.calls.run(calls, work);
    return { result, calls };
  }

  /**
   * Aborts all calls to the provider, so that the worker can end before they are answered. A POST that was sent has an
   * unknown outcome, as after a lost reply, and its rows say so.
   */
  giveUp(): void {
    this.givingUp.abort();
  }

  async close(): Promise<void> {
    await Promise.all([...this.clients.values()].map((client) => client.close()));
  }

  private tellOfMissing({ environment, application }: ApplicationName): void {
    const name = nameOf({ environment, application });
    const now = performance.now();
    if (now - (this.toldAt.get(name) ?? -Infinity) < toldEveryMs) return;
    this.toldAt.set(name, now);
    this.logger.error(
      { environment, application },
      `the application ${name} is not configured here: its runs wait and retry. ` +
        'Add it to PROVIDER_APPLICATIONS of every worker and restart them',
    );
  }

  private open(settings: ProviderApplication): PaymentsClient {
    const { environment, application, baseUrl, clientId, clientSecret, providerAddresses } = settings;
    const { metrics, tracing } = this.telemetry;
    return new PaymentsClient({
      baseUrl,
      clientId,
      clientSecret,
      ...(providerAddresses === 'any' && { addressRule: { mayBeInternal: () => true } }),
      totalTimeoutMs: callLimitMs,
      signal: this.givingUp.signal,
      ...(tracing && { onSend: (operation, method) => traceCall(tracing, operation, method) }),
      onCall: (record) => {
        this.calls.getStore()?.push(toApiCall(record));
        const { operation, status, failure, durationMs: ms } = record;
        metrics?.work.providerCall({ environment, application, operation, status, failure, ms });
      },
    });
  }
}

/** The provider gets the trace along. Its address and ids stay out: they can be a payer's tokens. */
function traceCall(tracing: Tracing, operation: string, method: string): SentCall {
  const attributes = { 'http.request.method': method, 'engine.operation': operation };
  const trace = tracing.begin({ name: `provider ${operation}`, kind: 'client', attributes });
  return {
    headers: trace.headers(),
    ended: ({ status, failure, attempt, debugId }) =>
      trace.end(
        {
          'http.response.status_code': status ?? undefined,
          'engine.attempt': attempt,
          'engine.debug.id': debugId,
        },
        failure ?? (status !== null && status >= 500 ? String(status) : undefined),
      ),
  };
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
