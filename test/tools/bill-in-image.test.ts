import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBill } from '#tools/containers/bill-in-image.js';
import type { ContainerEngine } from '#tools/containers/container-engine.js';
import { projectRoot } from '#tools/project.js';

const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};
const packages = Object.entries(dependencies).map(([name, version]) => ({ name, version }));

/** An engine whose containers print this text. */
function printing(text: string): ContainerEngine {
  const run = async () => await Promise.resolve(text);
  return { name: 'podman', run, compose: run, close: async () => await Promise.resolve() };
}

const read = async (components: readonly object[]) =>
  await readBill(printing(JSON.stringify({ components })), 'api');

describe('the bill of materials in an image', () => {
  it('names every package that we depend on', async () => {
    expect(await read([...packages, { name: 'deep', version: '1.0.0' }])).toBe(packages.length + 1);
  });

  it('is refused when it lacks one, or has it in another version', async () => {
    await expect(read(packages.filter(({ name }) => name !== 'pg'))).rejects.toThrow('lacks pg@');
    const older = packages.map((each) => (each.name === 'zod' ? { ...each, version: '3.0.0' } : each));
    await expect(read(older)).rejects.toThrow('lacks zod@');
  });

  it('is refused when it is something else', async () => {
    await expect(readBill(printing('cat: no such file'), 'api')).rejects.toThrow('no bill of materials');
  });
});
