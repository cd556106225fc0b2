import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bareUndici, callsPerSequence, ourClient, paypalRestSdk, type Caller } from './client-cpu/callers.js';

// A process of its own, spawned with --expose-gc, so that nothing else of the bench is counted; the answers come from
// another one. stdout: one ClientCpu as JSON.
const [rounds = 5, sequences = 500] = process.argv.slice(2).map(Number);
/** Concurrent calls: as many as a worker under load has. */
const inFlight = 10;

const server = fork(fileURLToPath(new URL('canned-server.js', import.meta.url)));
const [port] = (await once(server, 'message')) as [number];
const origin = `http://127.0.0.1:${port}`;
const callers = [
  ourClient(origin),
  bareUndici(origin),
  paypalRestSdk(origin),
  ourClient(origin, 'callHistory'),
];

// Twice: the first pass compiles, the second one is compiled for all four callers having been seen.
for (let pass = 0; pass < 2; pass += 1) for (const caller of callers) await cpuPerCall(caller);
const figures = new Map<string, number[]>(callers.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  // Each round begins with another caller, so that none always runs after the same one.
  const order = callers.map((_, place) => callers[(place + round) % callers.length]);
  for (const caller of order) if (caller) figures.get(caller.name)?.push(await cpuPerCall(caller));
}
process.stdout.write(`${JSON.stringify(Object.fromEntries(figures))}\n`);
await Promise.all(callers.map((caller) => caller.close()));
server.disconnect();
process.exit();

async function cpuPerCall(caller: Caller): Promise<number> {
  global.gc?.();
  const before = process.cpuUsage();
  let begun = 0;
  const lanes = Array.from({ length: inFlight }, async () => {
    while (begun++ < sequences) await caller.sequence();
  });
  await Promise.all(lanes);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (sequences * callsPerSequence);
}
