import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { CommandRow } from '#database/schema';
import { commandStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import { isFinal } from './command-sender.js';

/** The shown status of a command that is under way or has succeeded. A failed or refused one is a problem. */
export const commandStatus = shownState(['accepted', 'executing', 'succeeded'], commandStates);

export function commandStatusOf({ status }: CommandRow): z.output<typeof commandStatus> {
  return status === 'accepted' || status === 'executing' ? status : 'succeeded';
}

/**
 * Names the address at which the caller reads the result. An ordered subject has one even before the provider has created
 * it. 202 while it is under way.
 */
export function replyWithAddress(
  reply: FastifyReply,
  address: string,
  { isUnderWay }: { readonly isUnderWay: boolean },
): void {
  void reply.header('location', address);
  if (isUnderWay) void reply.status(202).header('retry-after', '1');
}

/** The same for a command; one that is final is answered with its result alone. */
export function replyToCommand(reply: FastifyReply, command: CommandRow, address: string): void {
  if (!isFinal(command)) replyWithAddress(reply, address, { isUnderWay: true });
}
