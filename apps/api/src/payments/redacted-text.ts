/** Tells an operator which account was meant without telling its address: a…@e…. */
export function maskEmail(address: string): string {
  const [name = '', host = ''] = address.split('@');
  return `${name.slice(0, 1)}…@${host.slice(0, 1)}…`;
}
