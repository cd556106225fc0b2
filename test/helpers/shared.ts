import { beforeAll, beforeEach } from 'vitest';

type Close<T> = (started: T) => unknown;

/**
 * What the tests of a file share: it is started before the first of them and closed after the last one. The result
 * stands for it: it can be passed on at once, and used from the first test on.
 */
export function forAllTests<T extends object>(start: () => Promise<T>, close: Close<T> = end): T {
  return started(beforeAll, start, close);
}

/** The same, started again for each test. */
export function forEachTest<T extends object>(start: () => Promise<T>, close: Close<T> = end): T {
  return started(beforeEach, start, close);
}

function started<T extends object>(
  before: typeof beforeAll | typeof beforeEach,
  start: () => Promise<T>,
  close: Close<T>,
): T {
  let present: T | undefined;
  before(async () => {
    const opened = await start();
    present = opened;
    return () => close(opened);
  });
  const inUse = (): T => {
    if (!present) throw new Error('it is used before the first test');
    return present;
  };
  return new Proxy({} as T, {
    get(_, name) {
      const value: unknown = Reflect.get(inUse(), name, inUse());
      return typeof value === 'function' ? value.bind(inUse()) : value;
    },
    set: (_, name, value) => Reflect.set(inUse(), name, value, inUse()),
    has: (_, name) => name in inUse(),
  });
}

/** By the method that it has: a server is closed or stopped, a database is dropped. */
function end(opened: object): unknown {
  const methods = opened as Readonly<Record<string, unknown>>;
  for (const name of ['close', 'stop', 'drop']) {
    const method = methods[name];
    if (typeof method === 'function') return method.call(opened);
  }
  throw new Error('it can be neither closed, stopped nor dropped');
}
