import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';

/** As payloads were written before they were bound to their places. */
export function unboundPayload(plain: Payload, keyId: string, key: Buffer): Payload {
  return {
    metadata: { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(keyId) },
    data: encrypted(plain, key, ''),
  };
}

/** As payloads were written that named their place beside the ciphertext. */
export function earlierPayload(
  plain: Payload,
  { keyId, key, place }: { readonly keyId: string; readonly key: Buffer; readonly place: string },
): Payload {
  return {
    metadata: {
      encoding: Buffer.from('binary/encrypted-in-place'),
      'encryption-key-id': Buffer.from(keyId),
      'encrypted-for': Buffer.from(place),
    },
    data: encrypted(plain, key, `temporal-payload\0${place}`),
  };
}

/** As the release that knows `binary/sealed` alone reads a payload; `place` as it is written in it. */
export function readByEarlierRelease({ metadata, data }: Payload, key: Buffer) {
  if (Buffer.from(metadata?.['encoding'] ?? []).toString() !== 'binary/sealed') throw new Error('forged');
  const sealed = Buffer.from(data ?? []);
  const nonceAt = 1 + sealed[0]!;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(nonceAt, nonceAt + 12))
    .setAAD(Buffer.from('temporal-payload'))
    .setAuthTag(sealed.subarray(-16));
  const opened = Buffer.concat([decipher.update(sealed.subarray(nonceAt + 12, -16)), decipher.final()]);
  const payloadAt = 2 + opened.readUInt16BE(0);
  return {
    place: opened.toString('utf8', 2, payloadAt),
    plain: proto.temporal.api.common.v1.Payload.decode(opened.subarray(payloadAt)),
  };
}

function encrypted(plain: Payload, key: Buffer, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const bytes = proto.temporal.api.common.v1.Payload.encode(plain).finish();
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}
