import type { Movement } from '../sandbox-admin.js';

/** A payment as the sandbox's books know it; amounts in minor units. */
export interface Account {
  readonly holds: readonly Movement[];
  readonly captures: readonly Movement[];
  readonly releases: readonly Movement[];
  readonly held: number;
  readonly captured: number;
  readonly released: number;
}

export function accountOf(movements: readonly Movement[]): Account {
  const ofKind = (kind: Movement['kind']) => movements.filter((movement) => movement.kind === kind);
  const [holds, captures, releases] = [ofKind('hold'), ofKind('capture'), ofKind('release')];
  return {
    holds,
    captures,
    releases,
    held: sumOf(holds),
    captured: sumOf(captures),
    released: sumOf(releases),
  };
}

/** What is neither captured nor given back. */
export function stillHeld({ held, captured, released }: Account): number {
  return held - captured - released;
}

export function describeAccount({ holds, held, captures, captured, releases, released }: Account): string {
  return [
    part('held', holds, held),
    part('captured', captures, captured),
    part('released', releases, released),
  ].join(', ');
}

function part(what: string, movements: readonly Movement[], minor: number): string {
  return `${minor} ${what}${movements.length > 0 ? ` (${idsOf(movements)})` : ''}`;
}

export function idsOf(movements: readonly Movement[]): string {
  return movements.map(({ id, paymentId, captureId }) => `#${id} ${captureId ?? paymentId}`).join(' ');
}

export function sumOf(movements: readonly Movement[]): number {
  return movements.reduce((total, { amountMinor }) => total + amountMinor, 0);
}
