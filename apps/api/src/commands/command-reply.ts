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

/** The ordered subject has an address, even before the provider has created it. */
export function replyToOrder(
  reply: FastifyReply,
  address: string,
  { isUnderWay }: { readonly isUnderWay: boolean },
): void {
  void reply.header('location', address);
  if (isUnderWay) void reply.status(202).header('retry-after', '1');
}

/** Replies 202 for a command that is not final: the run carries it out, and the address shows the result. */
export function replyToCommand(reply: FastifyReply, command: CommandRow, address: string): void {
  if (!isFinal(command)) replyToOrder(reply, address, { isUnderWay: true });
}
