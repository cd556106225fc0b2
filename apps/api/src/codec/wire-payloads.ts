import type { Payload } from '@temporalio/common';
import { z } from 'zod';

const base64 = z.base64();

/** Payloads as the remote codec protocol of Temporal carries them: protobuf's JSON form. */
export const wirePayloads = z
  .object({
    payloads: z
      .array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() }))
      .max(1_000),
  })
  .meta({ id: 'Payloads' });
export type WirePayloads = z.output<typeof wirePayloads>;

export function fromWire({ payloads }: WirePayloads): Payload[] {
  return payloads.map(({ metadata = {}, data = '' }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data, 'base64'),
  }));
}

export function toWire(payloads: readonly Payload[]): WirePayloads {
  return {
    payloads: payloads.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
      ),
      data: Buffer.from(data ?? []).toString('base64'),
    })),
  };
}
