import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { uninterrupted } from '../process/uninterrupted.js';
import { replayDataConverter, type CodecKeys } from '#payload-codec';

/** @returns false if the workflow code cannot continue this history. */
export type Replay = (
  workflowId: string,
  history: Parameters<typeof Worker.runReplayHistory>[1],
) => Promise<boolean>;

/** Replays a history in this process, without reporting the result to Temporal. */
export function replayBy(
  code: Pick<ReplayWorkerOptions, 'workflowBundle' | 'workflowsPath'>,
  keys: CodecKeys,
): Replay {
  const options = { ...code, dataConverter: replayDataConverter(keys), ...uninterrupted };
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
