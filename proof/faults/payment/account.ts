import type { Movement } from '#tools/sandbox-admin.js';

const kinds = ['hold', 'capture', 'release', 'sale', 'refund', 'reversal'] as const;
type Kind = (typeof kinds)[number];

/** A payment as the sandbox's books know it. */
export interface Account {
  /** In the order in which they were booked. */
  readonly movements: Readonly<Record<Kind, readonly Movement[]>>;
  /** What the movements of each kind come to, in minor units. */
  readonly sums: Readonly<Record<Kind, number>>;
}

export function accountOf(movements: readonly Movement[]): Account {
  const ofKind = (kind: Kind): readonly Movement[] => movements.filter((movement) => movement.kind === kind);
  const byKind = forEachKind(ofKind);
  return { movements: byKind, sums: forEachKind((kind) => sumOf(byKind[kind])) };
}

function forEachKind<T>(of: (kind: Kind) => T): Record<Kind, T> {
  return {
    hold: of('hold'),
    capture: of('capture'),
    release: of('release'),
    sale: of('sale'),
    refund: of('refund'),
    reversal: of('reversal'),
  };
}

/** What is neither captured nor given back. */
export function stillHeld({ sums }: Account): number {
  return sums.hold - sums.capture - sums.release;
}

export function describeAccount({ movements, sums }: Account): string {
  const parts = kinds.filter((kind) => movements[kind].length > 0);
  if (parts.length === 0) return 'no movement';
  return parts.map((kind) => `${kind} of ${sums[kind]} (${idsOf(movements[kind])})`).join(', ');
}

export function idsOf(movements: readonly Movement[]): string {
  return movements
    .map(({ id, paymentId, captureId, refundId, saleId }) =>
      `#${id} ${refundId ?? captureId ?? saleId ?? paymentId ?? ''}`.trim(),
    )
    .join(' ');
}

export function sumOf(movements: readonly Movement[]): number {
  return movements.reduce((total, { amountMinor }) => total + amountMinor, 0);
}
