import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { CommandRow } from '#database/schema';
import { isFinal } from './commands.js';

/** How a command is shown that is under way or done; one that came to nothing is a problem. */
export const commandStatus = z.enum(['accepted', 'executing', 'succeeded']);

export function commandStatusOf({ status }: CommandRow): z.output<typeof commandStatus> {
  return status === 'accepted' || status === 'executing' ? status : 'succeeded';
}

/** What was ordered is found at its address, made or not. */
export function replyToOrder(
  reply: FastifyReply,
  address: string,
  { isUnderWay }: { readonly isUnderWay: boolean },
): void {
  void reply.header('location', address);
  if (isUnderWay) void reply.status(202).header('retry-after', '1');
}

/** A command that is not final yet: the run has it and will carry it out, and the address tells when. */
export function replyToCommand(reply: FastifyReply, command: CommandRow, address: string): void {
  if (!isFinal(command)) replyToOrder(reply, address, { isUnderWay: true });
}
