/** Names of the accounts between which money moves. */
export const payerAccount = (payerId: string | null) => `payer:${payerId ?? 'unknown'}`;
export const payeeAccount = (payeeId: string) => `payee:${payeeId}`;
export const holdAccount = (authorizationId: string) => `hold:${authorizationId}`;
