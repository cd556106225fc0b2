import { createCipheriv, randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';

/** As payloads were written before they were bound to their places. */
export function unboundPayload(plain: Payload, keyId: string, key: Buffer): Payload {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const bytes = proto.temporal.api.common.v1.Payload.encode(plain).finish();
  return {
    metadata: { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(keyId) },
    data: Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]),
  };
}
