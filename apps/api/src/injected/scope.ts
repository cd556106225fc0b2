/** What an API key may be for. A key without a list of scopes has all of them. */
export const scopes = ['read', 'order', 'decide'] as const;

export type Scope = (typeof scopes)[number];
