import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { type CodecKeys, EncryptingCodec } from './encrypting-codec.js';
import { ForgeryReportingCodec } from './forgery-reporting-codec.js';

/** The path of the failure converter (compiled, or TypeScript in tests): Temporal loads it by path. */
const failureConverterFile = import.meta.url.endsWith('.ts')
  ? './failure-converter.ts'
  : './failure-converter.js';
export const failureConverterPath = fileURLToPath(new URL(failureConverterFile, import.meta.url));

/**
 * The data converter of API and worker. It encrypts everything that Temporal stores, including failure messages and
 * stack traces.
 */
export function encryptingDataConverter(keys: CodecKeys): DataConverter {
  return { payloadCodecs: [new EncryptingCodec(keys)], failureConverterPath };
}

/**
 * The data converter for replays of stored histories. The SDK replays in a namespace of its own, so payloads are not
 * checked against it.
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

/** The data converter for workers: it skips forged payloads, so that a run does not get stuck on them. */
export function workerDataConverter(keys: CodecKeys): DataConverter {
  return { payloadCodecs: [new ForgeryReportingCodec(new EncryptingCodec(keys))], failureConverterPath };
}
