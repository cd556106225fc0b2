/** The command kind of each request event. */
export const requestKinds = {
  captureRequested: 'capture',
  voidRequested: 'void',
  releaseRequested: 'release',
  reauthorizeRequested: 'reauthorize',
  itemCancelRequested: 'cancelItem',
  suspendRequested: 'suspend',
  reactivateRequested: 'reactivate',
  cancelRequested: 'cancel',
  billBalanceRequested: 'billBalance',
  setBalanceRequested: 'setBalance',
  deactivateRequested: 'deactivate',
  reviewDecided: 'decide',
} as const satisfies Readonly<Record<string, string>>;

type RequestType = keyof typeof requestKinds;

export function isRequestType(type: string): type is RequestType {
  return Object.hasOwn(requestKinds, type);
}
