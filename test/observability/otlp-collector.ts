import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it was exported. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** Of the traces that it links to. */
  readonly links: readonly string[];
  /** All of its bytes as text, to look for what must not be there. */
  readonly text: string;
}

/** Takes traces as an OpenTelemetry collector does: OTLP over HTTP, protobuf. */
export class OtlpCollector {
  readonly spans: ExportedSpan[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpCollector> {
    const server = createServer((request, response) => {
      void (async () => {
        const body = Buffer.concat((await request.toArray()) as Buffer[]);
        if (request.url === '/v1/traces') collector.take(body);
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      })();
    });
    const collector = new OtlpCollector(server);
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(request: Buffer): void {
    for (const resource of partsOf(request, 1))
      for (const scope of partsOf(resource, 2))
        for (const span of partsOf(scope, 2)) this.spans.push(readSpan(span));
  }
}

function readSpan(span: Buffer): ExportedSpan {
  const hex = (field: number) => partsOf(span, field)[0]?.toString('hex') ?? '';
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentSpanId: hex(4),
    name: partsOf(span, 5)[0]?.toString() ?? '',
    links: partsOf(span, 13).map((link) => partsOf(link, 1)[0]?.toString('hex') ?? ''),
    text: span.toString('latin1'),
  };
}

/** The byte fields of a protobuf message with this number. */
function partsOf(message: Buffer, wanted: number): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const wire = key % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else {
      const length = varint();
      if (Math.floor(key / 8) === wanted) parts.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return parts;
}
