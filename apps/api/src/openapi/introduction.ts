/** What a caller must know before the first request; shown in Markdown above the operations. */
export const introduction = `Runs payments from order to end: approve, hold, capture or void, expire; or take the money at once with a
sale. Also makes refunds, subscriptions to plans (billed in cycles) and payouts (batches to many receivers).

**Key.** Send \`Authorization: Bearer <API key>\` with every call. A key can be limited to scopes: \`read\` (GET and
\`check\`), \`order\` (what changes something) and \`decide\` (decisions of reviews, webhook events, codec sessions). Each operation
names the scope that it needs; without it the answer is a 403 with the code \`insufficient_scope\`. An expired key is a 401
with the code \`key_expired\`.

**Idempotency.** Each POST that orders or changes something needs an \`Idempotency-Key\` of its own; \`check\`, \`resend\`, \`replay\`, \`test\`
and codec sessions need none. The same request under the same key is executed once, however often it is sent;
each answer shows the current state. Another request under the same key is a 409.

**Outcomes.** 200 or 201: done; read \`state\`, because an order can also come back as \`declined\`. 202, a 5xx or no answer at
all: the outcome is not known yet. Repeat the same request under the same key, or GET the address in \`Location\`.

**Unknown outcomes.** While the outcome of a call to the provider is unknown, \`pendingOperation\` shows the call, its start, when the
provider is asked next, and when a person must decide. POST to the resource's address with \`/check\` asks the provider at once.

**Waiting.** \`GET /v1/payments/{id}?wait=20&since=<version>\` answers as soon as the payment is newer than the version. The
same works for refunds, plans, subscriptions and payouts.

**Versions.** The \`ETag\` of an answer is its \`version\`. A command with \`If-Match: "7"\` is accepted only while the resource has
version 7 and no other command for it waits; otherwise it is a 412 with the \`code\` \`version_mismatch\` and the \`currentVersion\`.
Nothing is kept of it, so its key can be used again. A repeat of an accepted request is answered as before.
An operation that does not name \`If-Match\` below refuses it with a 400: nothing happens on a condition that nobody checks.

**Problems.** Every error is a problem document (RFC 9457). 400: the request cannot be parsed. 422: it is not valid;
\`errors\` names each wrong part, by JSON pointer, header or parameter. 409: it does not fit the current state; \`currentState\` and,
where there are any, \`allowedActions\` name what does. With the \`code\` \`outcome_not_recorded\` the request may have been executed,
and its record was lost in a restore of the database: do not send it under a new key before you have read the resource. 402: the provider declined; \`code\` and \`detail\` say why. 429: this key has too
many requests under way, or has sent too many in a minute (\`code\`: \`rate_limit_exceeded\`); nothing was done, repeat the request
after \`Retry-After\` seconds. Each answer shows what is left of the minute: \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\`.

**Private data.** A payment card number is refused in every field. An e-mail address is refused in fields that are
stored unchanged (return addresses and \`Idempotency-Key\`) and masked in descriptions and notes.`;
