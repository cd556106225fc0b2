import { World, present } from '#proof/simulator/core/world.js';
import type { Run } from '#proof/simulator/temporal/run.js';
import { Server } from '#proof/simulator/temporal/server.js';
import { Workers } from '#proof/simulator/temporal/worker.js';
import { probe } from './probe.workflow.js';
import { type Chapter, Holding, type TestServer, type Reported, playScenario } from './scenario.js';

const id = 'probe';
/** Longer than any wait of the probe but that for its next word. */
const nextWordMs = 100_000;

/** The simulator's own server and workers, in a world in which nothing goes wrong but what the scenario tells. */
export async function tellFake(seed: number, chapters: readonly Chapter[]): Promise<Reported> {
  const world = new World(seed, { isTold: true, allowed: new Set() });
  present.world = world;
  const holding = new Holding();
  const workers = new Workers(world, () => ({ carryOut: holding.carryOut }));
  const server = new Server(world, workers, { probe });
  let reported: Reported | undefined;
  server.start(id, 'probe', {});
  const testServer = testServerOf(world, workers, server, holding);
  const live = async () => {
    await testServer.idle();
    reported = await playScenario(testServer, holding, chapters);
    world.clock.isStopped = true;
  };
  void live();
  await world.clock.run(World.startsAt + 3_600_000, 100_000);
  present.world = undefined;
  if (!reported) throw new Error(`the scenario never ended: ${JSON.stringify(holding.begun)}`);
  return reported;
}

function testServerOf(world: World, workers: Workers, server: Server, holding: Holding): TestServer {
  const run = () => {
    const found = server.runs.get(id);
    if (!found) throw new Error('no run');
    return found;
  };
  const untilRun = async (isSo: () => boolean) => {
    while (!isSo()) await world.clock.sleep(10);
  };
  return {
    tell: async (word) => {
      server.signal(id, 'told', word);
      await world.clock.sleep(20);
    },
    ask: async (word) => {
      const answer = await server.update(id, word, 'asked', word);
      return typeof answer === 'object' ? answer.code : answer;
    },
    begun: async (word, times) => await holding.until(() => holding.times(word) >= times),
    release: (word) => holding.release(word),
    idle: async () => {
      await untilRun(() => run().task === undefined && isWaiting(run(), world.clock.now));
    },
    killWorker: async () => {
      const { task } = run();
      if (typeof task === 'object') workers.kill(task.worker);
      await world.clock.sleep(20);
    },
    sleep: async (ms) => await world.clock.sleep(ms),
    result: async () => {
      await untilRun(() => run().ended !== undefined);
      return run().ended?.result as readonly string[];
    },
    failures: async () => {
      const lost = /the task of .* (?:fails|times out)/;
      return world.trace.filter(({ words }) => lost.test(words)).length;
    },
  };
}

function isWaiting({ timers }: Run, now: number): boolean {
  return [...timers.values()].some(({ at }) => at - now > nextWordMs);
}
