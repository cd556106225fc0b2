/** Where the browser goes after the sign-in: a page of the console, whatever the link says. */
export function ownAddress(next: unknown): string {
  return typeof next === 'string' && /^\/console(?:[/?][\x21-\x7e]*)?$/.test(next) ? next : '/console';
}
