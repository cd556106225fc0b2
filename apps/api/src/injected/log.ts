/** The process's pino logger. It is given class names, routes and ids, never bodies, addresses or headers. */
export const log = Symbol('log');
