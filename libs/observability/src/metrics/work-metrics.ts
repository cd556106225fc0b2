import { Gauge, Histogram, type Registry } from 'prom-client';
import { type Database, poolUse } from '#database/connection';
import type { Owner } from '#database/schema';

/** An answered request of the API. */
export interface RequestSeen {
  readonly method: string;
  /** As it is registered, with the names of its parameters; undefined where no route matched. */
  readonly route: string | undefined;
  readonly status: number;
  readonly ms: number;
}

/** A call to the provider that has ended. */
export interface ProviderCall extends Owner {
  readonly operation: string;
  /** Null when no answer began. */
  readonly status: number | null;
  /** Null when a complete answer came. */
  readonly failure: string | null;
  readonly ms: number;
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];
const lagBuckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 86_400];

/** What this process itself does. No label holds what callers or the provider choose. */
export class WorkMetrics {
  private readonly requests: Histogram<'method' | 'route' | 'status'>;
  private readonly calls: Histogram<'environment' | 'application' | 'operation' | 'outcome'>;
  private readonly lag: Histogram<'environment' | 'application'>;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.requests = new Histogram({
      name: 'engine_http_request_duration_seconds',
      help: 'Requests of the API by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: requestBuckets,
      registers,
    });
    this.calls = new Histogram({
      name: 'engine_provider_call_duration_seconds',
      help: 'Calls to the provider by operation; outcome is the class of the status, or why no complete answer came',
      labelNames: ['environment', 'application', 'operation', 'outcome'],
      buckets: callBuckets,
      registers,
    });
    this.lag = new Histogram({
      name: 'engine_webhook_lag_seconds',
      help: 'From the creation of an event at the provider until it is journaled here',
      labelNames: ['environment', 'application'],
      buckets: lagBuckets,
      registers,
    });
  }

  request({ method, route = 'none', status, ms }: RequestSeen): void {
    this.requests.observe({ method, route, status }, ms / 1_000);
  }

  providerCall({ environment, application, operation, status, failure, ms }: ProviderCall): void {
    const outcome = failure ?? `${Math.floor((status ?? 0) / 100)}xx`;
    this.calls.observe({ environment, application, operation, outcome }, ms / 1_000);
  }

  webhook({ environment, application }: Owner, createdAt: string | undefined): void {
    if (createdAt === undefined) return;
    this.lag.observe({ environment, application }, Math.max(0, Date.now() - Date.parse(createdAt)) / 1_000);
  }

  /** From now on each reading shows the use of this pool. */
  watchPool(db: Database): void {
    for (const gauge of poolGauges(db)) this.registry.registerMetric(gauge);
  }
}

function poolGauges(db: Database): Gauge[] {
  return [
    new Gauge({
      name: 'engine_database_connections',
      help: 'Connections of the pool: used, idle, and requests that wait for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { most: _most, ...use } = poolUse(db);
        for (const [state, count] of Object.entries(use)) this.set({ state }, count);
      },
    }),
    new Gauge({
      name: 'engine_database_connections_limit',
      help: 'Most connections of the pool',
      registers: [],
      collect() {
        this.set(poolUse(db).most);
      },
    }),
  ];
}
