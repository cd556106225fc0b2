import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { replayDataConverter, type CodecKeys } from '#payload-codec';

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
  const options = { ...code, dataConverter: replayDataConverter(keys) };
  return async (workflowId, history) => {
    try {
      await Worker.runReplayHistory(options, history, workflowId);
      return true;
    } catch (error) {
      // Any other error says nothing about the history.
      return !(error instanceof DeterminismViolationError);
    }
  };
}
