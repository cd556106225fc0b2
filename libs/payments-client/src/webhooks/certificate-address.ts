/**
 * Whether a delivery's certificate address may be fetched at all. The address comes from the sender, so its origin must
 * be one that the configuration names: anything else would let them choose where we connect to, and which key we trust.
 * Plain http is trusted only where the configured origin itself is http, as a sandbox on the loopback interface is.
 * @param trustedOrigins such as `https://api.example.com`; compared as scheme, host and port
 */
export function isTrustedCertificateAddress(address: string, trustedOrigins: readonly string[]): boolean {
  const url = address.length > 1_024 ? null : URL.parse(address);
  if (!url) return false;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  // Credentials in an address can make its host look like another one.
  if (url.username !== '' || url.password !== '') return false;
  return trustedOrigins.some((origin) => origin === url.origin || URL.parse(origin)?.origin === url.origin);
}
