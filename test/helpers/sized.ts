/**
 * How much of something long a run does: a slice in `npm test`, the whole in `npm run test:long`, which runs the files
 * that import this.
 */
export function sized(slice: number, whole: number): number {
  return process.env['TEST_SIZE'] === 'whole' ? whole : slice;
}
