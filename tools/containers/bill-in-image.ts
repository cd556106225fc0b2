import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson } from '../audit-report.js';
import { Failure } from '../failure.js';
import { billOfMaterials } from '../licences.js';
import { projectRoot } from '../project.js';
import type { ContainerEngine } from './container-engine.js';

const file = '/engine/sbom.cdx.json';
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

/**
 * Reads the bill of materials in an image.
 * @returns how many packages it names. @throws Failure when it is missing, or lacks a package that we depend on.
 */
export async function readBill(engine: ContainerEngine, image: string): Promise<number> {
  // The health check of a container would write to the same output.
  const alone = ['--rm', '--network', 'none', '--no-healthcheck'];
  const text = await engine.run('run', ...alone, '--entrypoint', 'cat', image, file);
  const bill = billOfMaterials.safeParse(readJson(text));
  if (!bill.success) throw new Failure(`${file} in ${image} is no bill of materials.`);
  const unnamed = unnamedIn(bill.data.components);
  if (unnamed.length > 0) throw new Failure(`${file} in ${image} lacks ${unnamed.join(', ')}.`);
  return bill.data.components.length;
}

/** Our own dependencies that are not among these packages in their version. */
function unnamedIn(packages: readonly { readonly name: string; readonly version: string }[]): string[] {
  const { dependencies } = manifest.parse(
    JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')),
  );
  const named = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  return Object.entries(dependencies)
    .map(([name, version]) => `${name}@${version}`)
    .filter((each) => !named.has(each));
}
