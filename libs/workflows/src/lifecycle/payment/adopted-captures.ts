import type { Capture, CaptureStatus, PaymentState, ProviderFacts } from './payment.js';

/** Final by the provider's answer; an operator's word is not final. */
export function isFinal({ status, isOnWord }: Pick<Capture, 'status' | 'isOnWord'>): boolean {
  return status !== 'pending' && isOnWord !== true;
}

/**
 * What is final of a payment's parts: no later state of it shows them otherwise.
 *
 * @returns the status by the id of the capture or sale.
 */
export function finalParts({
  captures,
  sale,
}: Pick<PaymentState, 'captures' | 'sale'>): ReadonlyMap<string, CaptureStatus> {
  const parts = captures.filter(isFinal).map(({ captureId, status }) => [captureId, status] as const);
  return new Map(sale && isFinal(sale) ? [...parts, [sale.saleId, sale.status]] : parts);
}

/** Whether the run has read this capture. */
export function isKnown(
  { captures }: Pick<PaymentState, 'captures'>,
  { captureId }: ProviderFacts['captures'][number],
): boolean {
  return captures.some((known) => known.captureId === captureId);
}

/** The known captures after a read that shows a new one, or a new status of one. */
export function adoptCapture(
  captures: readonly Capture[],
  shown: ProviderFacts['captures'][number],
): readonly Capture[] {
  const { reference: _ours, ...fact } = shown;
  const mine = captures.find(({ captureId }) => captureId === fact.captureId);
  if (!mine) return [...captures.filter((capture) => !isMistaken(capture, fact)), fact];
  // A lagging read does not make a final capture pending again.
  if (isFinal(mine)) return captures;
  const { isOnWord: _seenByNow, ...seen } = mine;
  return captures.map((capture) => (capture === mine ? { ...seen, status: fact.status } : capture));
}

/** An operator named a wrong id for a command's capture: it is one capture, not two. */
function isMistaken({ isOnWord, commandId }: Capture, shown: Capture): boolean {
  return isOnWord === true && commandId !== undefined && commandId === shown.commandId;
}
