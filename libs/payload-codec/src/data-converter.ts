import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { type CodecKeys, EncryptingCodec } from './encrypting-codec.js';
import { ForgeryReportingCodec } from './forgery-reporting-codec.js';

/** The module itself as it runs (compiled, or TypeScript under the test runner): Temporal loads it by path. */
const failureConverterFile = import.meta.url.endsWith('.ts')
  ? './failure-converter.ts'
  : './failure-converter.js';
export const failureConverterPath = fileURLToPath(new URL(failureConverterFile, import.meta.url));

/**
 * The data converter of API and worker alike: everything stored is encrypted, failure messages and stack traces
 * included, which would otherwise stand in the history in the clear.
 */
export function encryptingDataConverter(keys: CodecKeys): DataConverter {
  return { payloadCodecs: [new EncryptingCodec(keys)], failureConverterPath };
}

/**
 * The same for replays of stored histories, which the SDK makes in a namespace of its own: nothing that is read there is
 * bound to it.
 */
export function replayDataConverter(keys: CodecKeys): DataConverter {
  const codec = new EncryptingCodec(keys);
  return {
    payloadCodecs: [
      {
        encode: (payloads, context) => codec.encode(payloads, context),
        decode: (payloads) => codec.decode(payloads),
      },
    ],
    failureConverterPath,
  };
}

/** The same for what carries runs out: it leaves out what was forged, instead of standing still for it. */
export function workerDataConverter(keys: CodecKeys): DataConverter {
  return { payloadCodecs: [new ForgeryReportingCodec(new EncryptingCodec(keys))], failureConverterPath };
}
