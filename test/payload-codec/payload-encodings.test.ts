import { randomBytes } from 'node:crypto';
import { type Payload, defaultPayloadConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EncryptingCodec } from '#payload-codec';
import { readByEarlierRelease } from './earlier-payloads.js';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

const key = randomBytes(32);
const keys = { current: 'k1', keys: new Map([['k1', key]]) };
const short = new EncryptingCodec(keys);
const earlier = new EncryptingCodec({ ...keys, encoding: 'binary/sealed' });
const encodings = [
  ['sealed/2', short],
  ['binary/sealed', earlier],
] as const;

const workflowId = 'payment/sandbox/shop/pay_01m8dzrgh93yhz3ntpetm0afxq86vmfnt2gp';
const run = { type: 'workflow', namespace: 'default', workflowId } as const;
const activity = { ...run, type: 'activity', isLocal: true } as const;
const plain = defaultPayloadConverter.toPayload({ status: 'captured' });
const [stored, storedEarlier] = [await one(short), await one(earlier)];

async function one(codec: EncryptingCodec, payload: Payload = plain): Promise<Payload> {
  const [encoded] = await codec.encode([payload], run);
  return encoded!;
}

const bytesOf = (payload: Payload | undefined) => Buffer.from(PayloadMessage.encode(payload ?? {}).finish());

/** Also such that begin as JSON does, name JSON behind another name, or have no data. */
const anyPayload = fc.record(
  {
    metadata: fc.oneof(
      fc.constant({ encoding: Buffer.from('json/plain') }),
      fc.constant({ encoding: Buffer.from('json/plain'), type: Buffer.from('Keyword') }),
      fc.constant({ type: Buffer.from('Keyword'), encoding: Buffer.from('json/plain') }),
      fc.constant({ encoding: Buffer.from('json/protobuf') }),
      fc.constant({ encoding: Buffer.from('binary/null') }),
      fc.constant({}),
    ),
    data: fc.uint8Array(),
  },
  { requiredKeys: ['metadata'] },
);

describe.each(encodings)('a payload of the encoding %s', (encoding, codec) => {
  it('is read byte for byte as it was, by processes that write either encoding', async () => {
    await fc.assert(
      fc.asyncProperty(anyPayload, async (payload) => {
        const [encoded] = await codec.encode([payload], run);
        expect(Buffer.from(encoded!.metadata!['encoding']!).toString()).toBe(encoding);
        for (const [, reader] of encodings) {
          const [decoded] = await reader.decode([encoded!], run);
          expect(bytesOf(decoded).equals(bytesOf(payload))).toBe(true);
        }
      }),
    );
  });

  it.each([
    ['another run', { ...run, workflowId: `${workflowId}0` }],
    [
      'a run whose name goes on where the namespace ends',
      { ...run, namespace: 'defaul', workflowId: `t${workflowId}` },
    ],
    ['another namespace', { ...run, namespace: 'other' }],
    ['an activity of its run', activity],
  ])('is refused in %s', async (_what, place) => {
    await expect(codec.decode([await one(codec)], place)).rejects.toThrow('belongs somewhere else');
  });

  it('is refused in every place if it was written for none', async () => {
    const [nowhere] = await codec.encode([plain]);
    await expect(codec.decode([nowhere!], run)).rejects.toThrow('belongs somewhere else');
    expect(codec.show(nowhere!).place).toBeUndefined();
  });

  it('is shown with its place, whatever the id of its run is', () =>
    fc.assert(
      fc.asyncProperty(fc.string(), fc.constantFrom('workflow', 'activity'), async (id, type) => {
        const place = { type, namespace: 'default', workflowId: id, isLocal: true } as const;
        const [encoded] = await codec.encode([plain], place);
        const shown = { namespace: 'default', workflowId: id, purpose: type };
        expect(codec.show(encoded!).place).toEqual(shown);
      }),
    ));
});

it.each([
  ['sealed/2', stored, 'binary/sealed'],
  ['binary/sealed', storedEarlier, 'sealed/2'],
])(
  'a payload of the encoding %s is refused when it names the other one',
  async (_encoding, payload, other) => {
    const renamed = { ...payload, metadata: { encoding: Buffer.from(other) } };
    await expect(short.decode([renamed], run)).rejects.toThrow('does not authenticate');
  },
);

it('what is written as binary/sealed is read by a release that knows only that, and what is written as sealed/2 is not', () => {
  const read = readByEarlierRelease(storedEarlier, key);
  expect(defaultPayloadConverter.fromPayload(read.plain)).toEqual({ status: 'captured' });
  expect(JSON.parse(read.place)).toEqual(['default', workflowId, 'workflow']);
  expect(() => readByEarlierRelease(stored, key)).toThrow('forged');
});

it('a payload of JSON takes at least 44 bytes less as sealed/2', () => {
  expect(bytesOf(storedEarlier).length - bytesOf(stored).length).toBeGreaterThanOrEqual(44);
});
