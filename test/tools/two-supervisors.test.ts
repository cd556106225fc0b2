import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { claimDataFolder } from '#tools/process-records.js';
import { identify, type ProcessIdentity } from '#tools/process-table.js';

const race = vi.hoisted(() => ({ begin: (): void => undefined }));

/** What happens between the look at the earlier supervisor and the claim. */
vi.mock('#tools/process-table.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('#tools/process-table.js')>();
  const isAlive = (identity: ProcessIdentity) => {
    const found = original.isAlive(identity);
    race.begin();
    return found;
  };
  return { ...original, isAlive };
});

it('of two supervisors that follow a killed one at the same time, one gets the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'two-supervisors-'));
  const file = join(folder, 'supervisor.json');
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(other, 'spawn');
  const claimed = JSON.stringify(identify(other.pid!));
  try {
    writeFileSync(file, JSON.stringify({ pid: 999_999_999, startedAt: 'before a crash' }));
    race.begin = () => {
      race.begin = () => undefined;
      writeFileSync(file, claimed);
    };
    await expect(claimDataFolder(folder)).rejects.toThrow(`Process ${other.pid} is running on ${folder}`);
    expect(readFileSync(file, 'utf8')).toBe(claimed);
  } finally {
    other.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
