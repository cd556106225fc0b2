/** The pool on the engine's database; Database is an interface, so it is injected under this token. */
export const databaseToken = Symbol('Database');
