/** The address of an endpoint for those who only read: without a user and a query, which may hold secrets. */
export function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
