import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { Failure } from './failure.js';

/** Below the range from which systems draw the ports of outgoing connections: a restarted server finds its port free. */
const lowestPort = 20_000;
const highestPort = 32_000;
/**
 * Processes that run beside each other have process ids near each other, and so each draws from ports that are its own:
 * on a slow machine seconds pass between the look at a port and its use, and another process must not take it then.
 */
const portsOfProcess = 24;
const firstOwnPort =
  lowestPort + (process.pid % ((highestPort - lowestPort) / portsOfProcess)) * portsOfProcess;
const handedOut = new Set<number>();

export interface PortUse {
  readonly port: number;
  /** What wants the port, as the sentence begins: "The API". */
  readonly what: string;
  /** The environment variable that chooses another port. */
  readonly variable: string;
}

/** @throws Failure that names every port on which another program listens, and free ones instead. */
export async function ensurePortsAreFree(uses: readonly PortUse[]): Promise<void> {
  const areFree = await Promise.all(uses.map(({ port }) => isPortFree(port)));
  const taken = uses.filter((_use, index) => !areFree[index]);
  const [first, ...others] = taken;
  if (!first) return;
  const instead = new Map<number, string>();
  for (const { port, variable } of taken) instead.set(await freePortAbove(port, instead), variable);
  const choice = Array.from(instead, ([port, variable]) => `${variable}=${port}`).join(' ');
  throw new Failure(
    others.length === 0
      ? `${first.what} needs port ${first.port}, which another program uses: stop that program, or choose another port: ${choice}`
      : `Other programs use the ports ${taken.map(({ port }) => port).join(', ')}: stop them, or choose others: ${choice}`,
  );
}

/** Ten thousand above, so that it can be told what it is for. */
async function freePortAbove(taken: number, chosen: ReadonlyMap<number, string>): Promise<number> {
  for (let port = taken + 10_000; port <= 65_535; port += 1)
    if (!chosen.has(port) && (await isPortFree(port))) return port;
  return await freePort();
}

/** A port number from text such as an environment variable. @throws Failure naming the variable. */
export function parsePort(text: string | undefined, variable: string, fallback: number): number {
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new Failure(`${variable} must be a port between 1 and 65535, not "${text}".`);
  }
  return port;
}

/** A free port that this process has not handed out before: its user may not listen yet. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = tries < portsOfProcess ? firstOwnPort + tries : randomInt(lowestPort, highestPort);
    if (handedOut.has(port)) continue;
    // Before the look: others of this process are looking too.
    handedOut.add(port);
    if (await isPortFree(port)) return port;
  }
  throw new Failure(`No free port was found between ${lowestPort} and ${highestPort}.`);
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
