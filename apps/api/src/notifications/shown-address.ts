/** The address of an endpoint for those who only read: without a user and a query, which may hold secrets. */
export function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1');
}
