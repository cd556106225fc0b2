/**
 * A condition that the user can correct. It is shown as its one sentence, without a stack; everything else is a defect.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
}
