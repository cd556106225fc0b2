/**
 * Whether a plan or agreement shows our return address. Only the end of it is its own: what precedes it changes with
 * `PUBLIC_URL`, and a run that is started again has the new one.
 */
export function isReturnTo(ours: string, shown: string | undefined): boolean {
  return shown !== undefined && ownPartOf(shown) === ownPartOf(ours);
}

/**
 * Whether an agreement shows the return address of another subscription. A provider may show its plan's own address
 * instead, which says nothing.
 */
export function isReturnToAnother(ours: string, shown: string | undefined): boolean {
  const isOfItsKind = shown !== undefined && shown.split('/').at(-3) === ours.split('/').at(-3);
  return isOfItsKind && !isReturnTo(ours, shown);
}

function ownPartOf(returnUrl: string): string {
  return returnUrl.split('/').slice(-2).join('/');
}
