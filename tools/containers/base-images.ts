import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.js';
import type { ContainerEngine } from './container-engine.js';
import { makeStandIn } from './stand-ins.js';

const pulledWithinMs = 300_000;

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

/**
 * Gets every base image: the one that is there, the one of the registry, or, where no registry is reached, one made here
 * under the same name.
 * @returns the names of the images that were made here, now or earlier.
 */
export async function provideBaseImages(
  engine: ContainerEngine,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const standIns: string[] = [];
  for (const image of baseImages()) {
    if (!(await isThere(engine, image)) && !(await isPulled(engine, image))) {
      report(`${image} cannot be pulled: making a stand-in under its name …`);
      await makeStandIn(engine, image, report, signal);
    }
    if (await isStandIn(engine, image)) standIns.push(image);
  }
  return standIns;
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
