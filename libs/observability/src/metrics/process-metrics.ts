import { once } from 'node:events';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Owner } from '#database/schema';
import { DatabaseFigures } from './database-figures.js';
import { WorkMetrics } from './work-metrics.js';

export interface MetricsSettings {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly databaseUrl: string;
  readonly owners: readonly Owner[];
  /** Where Temporal's SDK serves its own metrics in this process. */
  readonly sdkMetrics?: string | undefined;
}

const sdkPatienceMs = 2_000;

/** The metrics of a process, and the address at which Prometheus reads them. */
export class ProcessMetrics {
  readonly work: WorkMetrics;
  private readonly registry = new Registry();
  private readonly figures: DatabaseFigures;
  private server: Server | undefined;

  private constructor(private readonly settings: MetricsSettings) {
    collectDefaultMetrics({ register: this.registry });
    this.work = new WorkMetrics(this.registry);
    this.figures = new DatabaseFigures(this.registry, settings.databaseUrl, settings.owners);
  }

  /** @throws if it cannot listen there. */
  static async serve(settings: MetricsSettings): Promise<ProcessMetrics> {
    const metrics = new ProcessMetrics(settings);
    await metrics.listen();
    return metrics;
  }

  get url(): string {
    const address = this.server?.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return `http://${this.settings.host}:${port ?? this.settings.port}/metrics`;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    await this.figures.close();
  }

  private async listen(): Promise<void> {
    const server = createServer((request, response) => {
      if (request.url === '/metrics') void this.answer(response);
      else response.writeHead(404).end();
    });
    server.listen(this.settings.port, this.settings.host);
    await once(server, 'listening');
    this.server = server;
  }

  private async answer(response: ServerResponse): Promise<void> {
    const text = await this.exposition();
    response.writeHead(200, { 'content-type': this.registry.contentType }).end(text);
  }

  private async exposition(): Promise<string> {
    const [sdk] = await Promise.all([this.sdkExposition(), this.figures.refresh()]);
    return `${await this.registry.metrics()}${sdk}`;
  }

  private async sdkExposition(): Promise<string> {
    const { sdkMetrics } = this.settings;
    if (sdkMetrics === undefined) return '';
    try {
      const answer = await fetch(`http://${sdkMetrics}/metrics`, {
        signal: AbortSignal.timeout(sdkPatienceMs),
      });
      return answer.ok ? await answer.text() : '';
    } catch {
      return '';
    }
  }
}
