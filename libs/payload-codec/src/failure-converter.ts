import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves failure messages and stack traces into payloads, which the codec encrypts. Loaded by path, also inside
 * workflows.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
