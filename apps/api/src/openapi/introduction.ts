/** What a caller must know before the first call; shown in Markdown above the operations. */
export const introduction = `Carries payments through their lives: order, approve, hold, capture or void, expire; or takes the money at once, by a
sale. Gives money back by refunds, collects it in cycles by subscriptions to plans, and pays it out in batches by payouts.

**Key.** Send \`Authorization: Bearer <API key>\` with every call.

**Repeats.** Each POST but \`check\` needs an \`Idempotency-Key\` of its own. The same call under the same key is carried out
once, however often it is sent; its answer shows what was asked for as it stands by then. Another call under the key is a 409.

**Outcomes.** 200 or 201: done; read \`state\`, because an order can also come back as \`declined\`. 202, a 5xx or no answer at
all: not known yet. Send the same call under the same key again, or ask for what was ordered: \`Location\` is its address.

**Doubt.** While nobody knows what became of a call to the provider, \`pendingOperation\` says which, since when, when the
provider is asked next, and when a person is. POST to its address with \`/check\` has the provider asked at once.

**Waiting.** \`GET /v1/payments/{id}?wait=20&since=<version>\` answers as soon as the payment is newer than the version; so do
refunds, plans, subscriptions and payouts.

**Problems.** Every refusal is a problem document (RFC 9457). 400: cannot be read. 422: can be read and is wrong;
\`errors\` names each wrong part, by JSON pointer, header or parameter. 409: does not fit the state of what it is about; \`currentState\` and,
where there are any, \`allowedActions\` tell what does. 402: the provider declined what it was asked to do; \`code\` and \`detail\` tell why. 429: this key has too
much under way; nothing was done, ask again after \`Retry-After\` seconds.

**Private data.** A text that holds the number of a payment card is refused, wherever it stands. So is an e-mail address in what is
kept as it is: return addresses and \`Idempotency-Key\`; in descriptions and notes it is masked.`;
