import { METADATA_ENCODING_KEY, type Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { type CodecKeys, EncryptingCodec, isEncrypted } from '#payload-codec';
import { historyKeys } from './history-key.js';

const { History } = temporal.api.history.v1;
type History = temporal.api.history.v1.History;

/**
 * The same run as it would stand in the history with the default data converter: every payload, wherever it is, as it
 * was before the codec. So also runs have one that were recorded by code that is no more.
 */
export async function plainTwin(history: History, keys: CodecKeys = historyKeys): Promise<History> {
  const twin = History.decode(History.encode(history).finish());
  await decryptWithin(twin, new EncryptingCodec(keys));
  return twin;
}

async function decryptWithin(value: object, codec: EncryptingCodec): Promise<void> {
  for (const [key, part] of Object.entries(value)) {
    if (typeof part !== 'object' || part === null || part instanceof Uint8Array) continue;
    if (isPayload(part) && isEncrypted(part)) {
      const [decrypted] = await codec.decode([part]);
      Object.assign(value, { [key]: decrypted });
    } else await decryptWithin(part, codec);
  }
}

function isPayload(value: object): value is Payload {
  const { metadata } = value as Payload;
  return metadata?.[METADATA_ENCODING_KEY] instanceof Uint8Array;
}
