import { pino } from 'pino';

/** Names only: messages of errors may quote an address with a password in it. */
export const log = pino({ name: 'worker' });
