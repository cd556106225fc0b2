const MASK = '[redacted]';
/** Shorter ones can be guessed, so no security depends on them. */
const SHORTEST_SECRET = 16;

/**
 * A registered address without what may authenticate the deliveries to it: many receivers have an unguessable segment
 * or parameter in it. Origin and short segments stay, so that an operator can recognize the receiver.
 */
export function withoutAddressSecrets(address: string): string {
  if (!URL.canParse(address)) return MASK;
  const { origin, pathname, search } = new URL(address);
  const segments = pathname.split('/').map((segment) => (segment.length >= SHORTEST_SECRET ? MASK : segment));
  return `${origin}${segments.join('/')}${search === '' ? '' : `?${MASK}`}`;
}
