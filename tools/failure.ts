/** A condition that the user can mend. It is shown as its one sentence, without a stack; everything else is a defect. */
export class Failure extends Error {
  override readonly name = 'Failure';
}
