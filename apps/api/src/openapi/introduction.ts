/** What a caller must know before the first call; shown in Markdown above the operations. */
export const introduction = `Carries a payment through its life: order, approve, hold, capture or void, expire; or takes the money at once, by a sale.

**Key.** Send \`Authorization: Bearer <API key>\` with every call on payments.

**Repeats.** Each POST on payments needs an \`Idempotency-Key\` of its own. The same call under the same key is carried out
once, however often it is sent; its answer shows the payment as it is by then. Another call under the key is a 409.

**Outcomes.** 200 or 201: done; read \`state\`, because an order can also come back as \`declined\`. 202, a 5xx or no answer at
all: not known yet. Send the same call under the same key again, or ask for the payment.

**Waiting.** \`GET /v1/payments/{id}?wait=20&since=<version>\` answers as soon as the payment is newer than the version.

**Problems.** Every refusal is a problem document (RFC 9457). 400: cannot be read. 422: can be read and is wrong;
\`errors\` names each wrong part, by JSON pointer, header or parameter. 409: does not fit the payment's state; \`currentState\` and
\`allowedActions\` tell what does. 402: the provider declined a capture or void; \`code\` and \`detail\` tell why.`;
