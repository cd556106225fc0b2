import { getPriority, setPriority } from 'node:os';

/**
 * PostgreSQL and Temporal serve all test processes of a run at once, so they go first where processor time is short:
 * else each test waits for a server that waits for the other tests.
 */
const servers = getPriority(process.ppid);
// A process runs many files: it yields once.
if (getPriority() === servers) setPriority(Math.min(19, servers + 5));
