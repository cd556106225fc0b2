/** Masks an e-mail address so that an operator can still recognize it: a…@e…. */
export function maskEmail(address: string): string {
  const [name = '', host = ''] = address.split('@');
  return `${name.slice(0, 1)}…@${host.slice(0, 1)}…`;
}
