/** What surrounds a call: `go` makes it. */
export type Around = (go: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>;

/** The object, of which some methods are surrounded. */
export function around<T extends object>(target: T, names: readonly (keyof T)[], surround: Around): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(object) as (...args: unknown[]) => Promise<unknown>;
      if (!names.includes(name as keyof T)) return method;
      return (...args: unknown[]) => surround(() => method(...args), args);
    },
  });
}
