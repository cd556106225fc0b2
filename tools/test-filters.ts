/**
 * Vitest's arguments for an area: files are found by a part of their path, and the pure core of `payments` lies in
 * `lifecycle/payment/`. What comes after an option may be its value, and stays as it is.
 */
export function widenedToAreas(args: readonly string[]): string[] {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const filters = firstOption < 0 ? args : args.slice(0, firstOption);
  const areas = filters.filter((filter) => /^[a-z]+s$/.test(filter));
  return [...filters, ...areas.map((area) => `/${area.slice(0, -1)}/`), ...args.slice(filters.length)];
}

export function choosesProjects(args: readonly string[]): boolean {
  return args.some((arg) => /^--(project|config)(=|$)/.test(arg));
}
