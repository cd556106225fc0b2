import { parentOf } from './process-table.js';

const lookEveryMs = 500;

interface Link {
  readonly pid: number;
  readonly parent: number;
}

/**
 * Calls back once when npm, or the bootstrap between npm and this process, is gone: killed with -9, it could not pass
 * a signal on. npm's own parent is no concern of ours: a server started in the background outlives its shell.
 */
export function onLossOfNpm(callback: () => void): void {
  const links = linksToNpm(process.env, process.ppid);
  if (links.length === 0) return;
  const timer = setInterval(() => {
    if (links.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, lookEveryMs);
  timer.unref();
}

/**
 * What has to stay as it is. The bootstrap passes on the parent that it had at its start: npm may have ended since.
 * Where npm has no part in it, the bootstrap was started by a shell, which may go.
 */
export function linksToNpm(env: NodeJS.ProcessEnv, parent: number): Link[] {
  const [bootstrap, npm] = (env['STARTED_BY_BOOTSTRAP'] ?? '').split(' ').map(Number);
  // The variable is inherited by every descendant, and speaks to the bootstrap's own child only.
  if (!bootstrap || !npm || bootstrap !== parent) return [];
  const toBootstrap = { pid: process.pid, parent: bootstrap };
  return env['npm_lifecycle_event'] ? [toBootstrap, { pid: bootstrap, parent: npm }] : [toBootstrap];
}
