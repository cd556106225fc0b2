import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import type { Command } from '../order-service.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { sumOf } from './account.js';

/** A request for money, with the movement that it must have made. */
export interface Claim {
  readonly command: Command;
  /** In minor units. */
  readonly minor: number;
  readonly isMine: (movement: Movement) => boolean;
  /** The engine's result of it, for the reader. */
  readonly name: string;
}

/**
 * Every request that succeeded owns one movement, of the amount that was asked for.
 *
 * @param unclaimed of the kind that is claimed; those that have an owner are taken out of it.
 */
export function judgeClaims(claims: readonly Claim[], unclaimed: Set<Movement>): Discrepancy[] {
  const found: Discrepancy[] = [];
  for (const claim of claims) {
    if (claim.command.outcome === 'succeeded') found.push(...judgeClaim(claim, unclaimed));
  }
  // An open request is stuck. If its money has moved, that movement belongs to it and is not doubled.
  for (const { command, minor } of claims) {
    if (command.outcome === 'open') claimOneOf(minor, unclaimed);
  }
  return found;
}

export function claimOneOf(minor: number, unclaimed: Set<Movement>): boolean {
  const mine = [...unclaimed].find(({ amountMinor }) => amountMinor === minor);
  return mine !== undefined && unclaimed.delete(mine);
}

function judgeClaim({ minor, isMine, name }: Claim, unclaimed: Set<Movement>): Discrepancy[] {
  const mine = [...unclaimed].filter(isMine);
  for (const movement of mine) unclaimed.delete(movement);
  if (mine.length === 0) return [lost(`${name} of ${minor} was accepted, and no movement shows it`)];
  if (mine.length > 1) return [doubled(`${name} of ${minor} was booked ${mine.length} times`)];
  return sumOf(mine) === minor ? [] : [lost(`${name} of ${minor} was booked as ${sumOf(mine)}`)];
}
