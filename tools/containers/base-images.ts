import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.js';
import { Failure } from '../failure.js';
import type { ContainerEngine } from './container-engine.js';
import { makeStandIn } from './stand-ins.js';

const pulledWithinMs = 300_000;
export const observersFile = 'deploy/observability/compose.yaml';

/** Images of others that the Dockerfile and the compose file name. */
export function baseImages(): string[] {
  const dockerfile = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8');
  const compose = readFileSync(join(projectRoot, 'docker-compose.yml'), 'utf8');
  const stages = new Set([...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage = '']) => stage));
  const built = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  const used = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image = '']) => image);
  const own = (image: string): boolean => stages.has(image) || image.startsWith('payment-lifecycle-engine/');
  return [...new Set([...built, ...used])].filter((image) => !own(image));
}

/** Images of Prometheus, Grafana and Jaeger, by the service that each is for. */
export function observerImages(): ReadonlyMap<string, string> {
  const compose = readFileSync(join(projectRoot, observersFile), 'utf8');
  const found = compose.matchAll(/^ {2}(\w+):\n {4}image: (\S+)$/gm);
  return new Map([...found].map(([, service = '', image = '']) => [service, image]));
}

interface Progress {
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Gets each image: the one that is there, the one of the registry, or, where no registry is reached, one made here under
 * the same name.
 * @returns the names of the images that were made here, now or earlier.
 */
export async function provideImages(
  engine: ContainerEngine,
  images: Iterable<string>,
  { report, signal }: Progress,
): Promise<string[]> {
  const standIns: string[] = [];
  for (const image of images) {
    if (!(await isThere(engine, image)) && !(await isPulled(engine, image))) {
      report(`${image} cannot be pulled: making a stand-in under its name …`);
      await makeStandIn(engine, image, report, signal);
    }
    if (await isStandIn(engine, image)) standIns.push(image);
  }
  return standIns;
}

/** Like provideImages; but what nobody gives is left out, because the engine runs without it. */
export async function provideObservers(
  engine: ContainerEngine,
  progress: Progress,
): Promise<{ readonly standIns: readonly string[]; readonly missing: ReadonlyMap<string, string> }> {
  const standIns: string[] = [];
  const missing = new Map<string, string>();
  for (const [service, image] of observerImages()) {
    try {
      standIns.push(...(await provideImages(engine, [image], progress)));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      progress.report(error.message);
      missing.set(service, image);
    }
  }
  return { standIns, missing };
}

/** Podman looks for a name without a registry under `localhost/` too, where the stand-ins are. */
async function isThere(engine: ContainerEngine, image: string): Promise<boolean> {
  return await engine.run('image', 'inspect', image).then(
    () => true,
    () => false,
  );
}

async function isPulled(engine: ContainerEngine, image: string): Promise<boolean> {
  const name = /^[^/]+\.[^/]+\//.test(image)
    ? image
    : `docker.io/${image.includes('/') ? '' : 'library/'}${image}`;
  const pulled = engine.run('pull', '--quiet', name).then(
    () => true,
    () => false,
  );
  const late = new Promise<false>((resolve) => setTimeout(resolve, pulledWithinMs, false).unref());
  return await Promise.race([pulled, late]);
}

async function isStandIn(engine: ContainerEngine, image: string): Promise<boolean> {
  const label = '{{ index .Config.Labels "stand-in" }}';
  return (await engine.run('image', 'inspect', '--format', label, image)).trim() === 'true';
}
