/**
 * Vitest's arguments for an area: files are found by a part of their path, and the pure core of `payments` lies in
 * `lifecycle/payment/`. What comes after an option may be its value, and stays as it is.
 */
export function widenedToAreas(args: readonly string[]): string[] {
  const filters = filtersIn(args);
  const areas = filters.filter((filter) => /^[a-z]+s$/.test(filter));
  return [...filters, ...areas.map((area) => `/${area.slice(0, -1)}/`), ...args.slice(filters.length)];
}

export function choosesProjects(args: readonly string[]): boolean {
  return args.some((arg) => /^--(project|config)(=|$)/.test(arg));
}

/** The same arguments for a list of files: those that a filter names, or all of them if there is none. */
export function chosenOf(files: readonly string[], args: readonly string[]): string[] {
  const filters = filtersIn(args);
  const chosen = files.filter(
    (file) => filters.length === 0 || filters.some((filter) => file.includes(filter)),
  );
  return [...chosen, ...args.slice(filters.length)];
}

function filtersIn(args: readonly string[]): readonly string[] {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  return firstOption < 0 ? args : args.slice(0, firstOption);
}
