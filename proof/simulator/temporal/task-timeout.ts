/** A worker that has not answered for so long has lost its workflow task: as libs/runs/src/runs.ts sets it. */
export const taskTimeoutMs = 20_000;
