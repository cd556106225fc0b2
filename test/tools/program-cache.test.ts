import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder, findCachedPrograms } from '#tools/program-cache.js';

describe('downloaded programs', () => {
  let folder: string;
  let gets: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'program-cache-'));
    gets = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const find = (stamp = 'server-v1', get = (workFolder: string): void => putBoth(workFolder)) =>
    findCachedPrograms(
      {
        stamp,
        names: ['server', 'tool'],
        get: async (workFolder) => {
          gets += 1;
          get(workFolder);
        },
      },
      folder,
    );

  it('are found where they were put, and not downloaded again', async () => {
    const programs = [join(folder, 'server-v1/server'), join(folder, 'server-v1/tool')];
    expect(await find()).toEqual(programs);
    expect(await find()).toEqual(programs);
    expect(gets).toBe(1);
    expect(readdirSync(join(folder, 'server-v1')).toSorted()).toEqual(['server', 'tool']);
  });

  it('are never used for another version', async () => {
    await find('server-v1');
    await find('server-v2');
    expect(gets).toBe(2);
  });

  it('are downloaded again when one of them is incomplete', async () => {
    await find();
    put(join(folder, 'server-v1'), 'tool', '#!/bin/sh\nexit 1\n');
    await find();
    expect(gets).toBe(2);
  });

  it('are not used after a failed attempt, which leaves nothing', async () => {
    await expect(find('server-v1', putOneAndFail)).rejects.toThrow('the network is gone');
    expect(readdirSync(join(folder, 'server-v1'))).toEqual([]);
    await find();
    expect(existsSync(join(folder, 'server-v1/tool'))).toBe(true);
  });

  it('are in the cache folder of the user', () => {
    expect(cacheFolder({}, '/home/ann')).toBe('/home/ann/.cache/payment-lifecycle-engine');
    expect(cacheFolder({ XDG_CACHE_HOME: '/cache' }, '/home/ann')).toBe('/cache/payment-lifecycle-engine');
  });
});

function putBoth(folder: string): void {
  put(folder, 'server');
  put(folder, 'tool');
}

function putOneAndFail(folder: string): void {
  put(folder, 'server');
  throw new Error('the network is gone');
}

function put(folder: string, name: string, script = '#!/bin/sh\necho 1.0\n'): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
}
