import { commandLineOf, parentOf } from './process-table.js';

const lookEveryMs = 500;
const farthestAncestor = 6;

/**
 * Calls back once when a process between npm and this one is gone: killed with -9, it could not pass a signal on.
 * npm's own parent is no concern of ours: a server started in the background outlives the shell that started it.
 */
export function onLossOfNpm(callback: () => void): void {
  const links = linksUpTo(process.pid, isNpm);
  if (links.length === 0) return;
  const timer = setInterval(() => {
    if (links.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, lookEveryMs);
  timer.unref();
}

interface Link {
  readonly pid: number;
  readonly parent: number;
}

/** The chain of parents from `pid` to npm; where there is no npm, only the link to the bootstrap process, if any. */
function linksUpTo(pid: number, isLast: (pid: number) => boolean): Link[] {
  const links: Link[] = [];
  for (let current = pid; links.length < farthestAncestor;) {
    const parent = parentOf(current);
    if (parent === undefined || parent <= 1) break;
    links.push({ pid: current, parent });
    if (isLast(parent)) return links;
    current = parent;
  }
  const isStartedByBootstrap = process.env['STARTED_BY_BOOTSTRAP'] === String(links[0]?.parent);
  return isStartedByBootstrap ? links.slice(0, 1) : [];
}

/** npm names its process "npm start", "npm run demo" and so on. */
function isNpm(pid: number): boolean {
  return /^(npm|\S*node\S* \S*npm(-cli\.js)?)( |$)/.test(commandLineOf(pid));
}
