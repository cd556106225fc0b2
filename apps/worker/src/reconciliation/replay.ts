import type { DataConverter } from '@temporalio/common';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { failureConverterPath } from '#payload-codec/data-converter.js';
import { type CodecKeys, EncryptingCodec } from '#payload-codec/encrypting-codec.js';

/** @returns false when the workflow code does not go on from this history. */
export type Replay = (
  workflowId: string,
  history: Parameters<typeof Worker.runReplayHistory>[1],
) => Promise<boolean>;

/** A replay by this code, in this process, of which nobody is told. */
export function replayBy(
  code: Pick<ReplayWorkerOptions, 'workflowBundle' | 'workflowsPath'>,
  keys: CodecKeys,
): Replay {
  return async (workflowId, history) => {
    try {
      await Worker.runReplayHistory({ ...code, dataConverter: readingAnywhere(keys) }, history, workflowId);
      return true;
    } catch (error) {
      // Any other error says nothing about the history.
      return !(error instanceof DeterminismViolationError);
    }
  };
}

/** The SDK replays in a namespace of its own, to which no payload is bound. */
function readingAnywhere(keys: CodecKeys): DataConverter {
  const codec = new EncryptingCodec(keys);
  return {
    payloadCodecs: [
      { encode: (payloads) => codec.encode(payloads), decode: (payloads) => codec.decode(payloads) },
    ],
    failureConverterPath,
  };
}
