import { randomBytes } from 'node:crypto';
import { ApplicationFailure, type Payload, defaultPayloadConverter } from '@temporalio/common';
import {
  decodeArrayFromPayloads,
  decodeOptionalFailureToOptionalError,
  encodeErrorToFailure,
  encodeToPayloads,
  loadDataConverter,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encryptingDataConverter, type CodecKeys, EncryptingCodec } from '#payload-codec';
import { earlierPayload, unboundPayload } from './earlier-payloads.js';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const keysOf = (current: string, ...keys: [string, Buffer][]): CodecKeys => ({
  current,
  keys: new Map(keys),
});
const codec = new EncryptingCodec(keysOf('k1', ['k1', newKey], ['k0', oldKey]));
const secret = 'payer@private.example';
const plain = defaultPayloadConverter.toPayload({ email: secret });

describe('a stored payload', () => {
  it('is read back unchanged, with its metadata', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const payload = defaultPayloadConverter.toPayload(value);
        const [decoded] = await codec.decode(await codec.encode([payload]));
        expect(defaultPayloadConverter.fromPayload(decoded!)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('shows nothing of its content, and never the same bytes twice', async () => {
    const [one, other] = await codec.encode([plain, plain]);
    const stored = Buffer.from(one?.data ?? []);
    expect(stored.includes(secret)).toBe(false);
    expect(metadataOf(one)).toEqual({ encoding: 'sealed/2' });
    expect(stored.equals(Buffer.from(other?.data ?? []))).toBe(false);
  });

  it('stays readable after the key was rotated, and no longer once its key is removed', async () => {
    const before = new EncryptingCodec(keysOf('k0', ['k0', oldKey]));
    const stored = await before.encode([plain]);
    const [decoded] = await codec.decode(stored);
    expect(defaultPayloadConverter.fromPayload(decoded!)).toEqual({ email: secret });
    const after = new EncryptingCodec(keysOf('k1', ['k1', newKey]));
    await expect(after.decode(stored)).rejects.toThrow('no codec key "k0"');
  });
});

describe('a payload that was not written with one of our keys', () => {
  it.each([
    ['in the clear', () => plain],
    ['without metadata', () => ({ data: Buffer.from('{}') })],
    ['empty', () => ({})],
    ['under an unknown key', (stored: Payload) => underKey(stored, '9')],
    ['under another one of our keys', (stored: Payload) => underKey(stored, '0')],
    ['of another encoding', (stored: Payload) => withMetadata(stored, 'encoding', 'json/plain')],
    ['cut to nothing', (stored: Payload) => ({ ...stored, data: new Uint8Array() })],
    [
      'cut to less than key, nonce and tag',
      (stored: Payload) => ({ ...stored, data: stored.data!.subarray(0, 30) }),
    ],
    ['cut short by a byte', (stored: Payload) => ({ ...stored, data: stored.data!.subarray(0, -1) })],
  ] satisfies [string, (stored: Payload) => Payload][])('is refused: %s', async (_what, spoil) => {
    const [stored] = await codec.encode([plain]);
    const refusal = await codec.decode([spoil(stored!)]).then(() => undefined, String);
    expect(refusal).toMatch(/^ValueError: /);
    expect(refusal).not.toContain(secret);
  });

  it('is refused when any one of its bits is changed', async () => {
    const [stored] = await codec.encode([plain]);
    const data = Buffer.from(stored?.data ?? []);
    await fc.assert(
      fc.asyncProperty(fc.nat(data.length - 1), fc.nat(7), async (at, bit) => {
        const turned = Buffer.from(data);
        turned[at] = turned[at]! ^ (1 << bit);
        await expect(codec.decode([{ ...stored!, data: turned }])).rejects.toThrow(
          /authenticate|truncated|no codec key/,
        );
      }),
    );
  });

  it('makes the whole batch fail: nothing is accepted in part', async () => {
    const [stored] = await codec.encode([plain]);
    await expect(codec.decode([stored!, plain])).rejects.toThrow('not encrypted');
  });
});

describe('a payload that is bound to one place', () => {
  const run = { type: 'workflow', namespace: 'default', workflowId: 'payment/sandbox/shop/pay_1' } as const;
  const activity = { ...run, type: 'activity', isLocal: true } as const;
  const places = [
    ['another run', { ...run, workflowId: 'payment/sandbox/shop/pay_2' }],
    ['another namespace', { ...run, namespace: 'other' }],
    ['an activity of its run', activity],
  ] as const;

  it('is read there', async () => {
    for (const place of [run, activity]) {
      const [decoded] = await codec.decode(await codec.encode([plain], place), place);
      expect(defaultPayloadConverter.fromPayload(decoded!)).toEqual({ email: secret });
    }
  });

  it.each(places)('is refused in %s', async (_what, place) => {
    const stored = await codec.encode([plain], run);
    await expect(codec.decode(stored, place)).rejects.toThrow('belongs somewhere else');
  });

  it('names neither its run nor its namespace', async () => {
    const [stored] = await codec.encode([plain], run);
    expect(Buffer.from(stored!.data!).toString('latin1')).not.toMatch(/pay_1|default/);
    expect(codec.show(stored!)).toMatchObject({ place: { workflowId: run.workflowId, purpose: 'workflow' } });
  });

  it('is refused when it claims to be of an earlier encoding', async () => {
    const [stored] = await codec.encode([plain], run);
    const older = withMetadata(stored!, 'encoding', 'binary/encrypted');
    await expect(codec.decode([older], run)).rejects.toThrow(/no codec key ""|does not authenticate/);
    const named = withMetadata(older, 'encryption-key-id', 'k1');
    await expect(codec.decode([named], run)).rejects.toThrow('does not authenticate');
  });
});

const written = (place: string) => earlierPayload(plain, { keyId: 'k1', key: newKey, place });

describe('a payload that names its place beside it, as an earlier release wrote it', () => {
  const run = { type: 'workflow', namespace: 'default', workflowId: 'payment/sandbox/shop/pay_1' } as const;
  const other = { ...run, workflowId: 'payment/sandbox/shop/pay_2' };
  const there = '["default","payment/sandbox/shop/pay_1","workflow"]';

  it('is read in its place, and shown with it', async () => {
    const [decoded] = await codec.decode([written(there)], run);
    expect(defaultPayloadConverter.fromPayload(decoded!)).toEqual({ email: secret });
    expect(codec.show(written(there)).place).toMatchObject({ workflowId: run.workflowId });
  });

  it('is refused in another place, and when it claims to belong there', async () => {
    await expect(codec.decode([written(there)], other)).rejects.toThrow('belongs somewhere else');
    const moved = withMetadata(written(there), 'encrypted-for', there.replace('pay_1', 'pay_2'));
    await expect(codec.decode([moved], other)).rejects.toThrow('does not authenticate');
    const stripped = withMetadata(written(there), 'encoding', 'binary/encrypted');
    await expect(codec.decode([stripped], run)).rejects.toThrow('does not authenticate');
  });
});

it('reads payloads that are older than places', async () => {
  const stored = unboundPayload(plain, 'k1', newKey);
  const run = { type: 'workflow', namespace: 'default', workflowId: 'payment/sandbox/shop/pay_1' } as const;
  const [decoded] = await codec.decode([stored], run);
  expect(defaultPayloadConverter.fromPayload(decoded!)).toEqual({ email: secret });
});

it('takes payloads that are older than places for forged ones where it is configured to, also without a place', async () => {
  const strict = new EncryptingCodec({ ...keysOf('k1', ['k1', newKey]), refusesUnbound: true });
  const stored = unboundPayload(plain, 'k1', newKey);
  const run = { type: 'workflow', namespace: 'default', workflowId: 'payment/sandbox/shop/pay_1' } as const;
  await expect(strict.decode([stored], run)).rejects.toThrow('bound to no place');
  await expect(strict.decode([stored])).rejects.toThrow('bound to no place');
  const [decoded] = await strict.decode(await codec.encode([plain], run), run);
  expect(defaultPayloadConverter.fromPayload(decoded!)).toEqual({ email: secret });
});

it('cannot be made with a current key that is missing', () => {
  expect(() => new EncryptingCodec(keysOf('k2', ['k1', newKey]))).toThrow(
    'codec key k2 is not among the keys',
  );
});

describe('the data converter of API and worker', () => {
  const converter = loadDataConverter(encryptingDataConverter(keysOf('k1', ['k1', newKey])));

  it('encrypts arguments and reads them back', async () => {
    const payloads = await encodeToPayloads(converter, { email: secret }, 2);
    expect(JSON.stringify(payloads)).not.toContain(Buffer.from(secret).toString('base64'));
    expect(payloads?.map((payload) => metadataOf(payload).encoding)).toEqual(['sealed/2', 'sealed/2']);
    expect(await decodeArrayFromPayloads(converter, payloads)).toEqual([{ email: secret }, 2]);
  });

  it('encrypts the messages, details and stack traces of failures, causes included', async () => {
    const cause = new Error(`cause ${secret}`);
    const thrown = ApplicationFailure.create({
      message: `failed for ${secret}`,
      type: 'Failed',
      details: [secret],
      cause,
    });
    const failure = await encodeErrorToFailure(converter, thrown);
    expect(JSON.stringify(failure)).not.toContain(secret);
    expect(failure.message).toBe('Encoded failure');
    expect(failure.stackTrace).toBe('');
    expect(failure.cause?.message).toBe('Encoded failure');

    const read = await decodeOptionalFailureToOptionalError(converter, failure);
    expect(read).toMatchObject({ message: `failed for ${secret}`, cause: { message: `cause ${secret}` } });
  });
});

function metadataOf(payload: Payload | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString()]),
  );
}

function withMetadata(payload: Payload, name: string, value: string): Payload {
  return { ...payload, metadata: { ...payload.metadata, [name]: Buffer.from(value) } };
}

/** Names another key: the id begins after its length, and is k1. */
function underKey(payload: Payload, number: string): Payload {
  const data = Buffer.from(payload.data ?? []);
  data.write(number, 2);
  return { ...payload, data };
}
