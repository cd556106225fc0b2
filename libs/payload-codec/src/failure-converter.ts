import { DefaultFailureConverter } from '@temporalio/common';

/** Puts failure messages and stack traces where the codec encrypts them. Loaded by path, also inside workflows. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
