import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.js';
import { identify, isAlive, killProcess, type ProcessIdentity } from './process-table.js';

/**
 * What a supervisor writes down about a child, so that a later one can distinguish an orphan of ours from another
 * process.
 */
export interface ProcessRecord extends ProcessIdentity {
  readonly name: string;
  readonly stopSignal: NodeJS.Signals;
}

const orphanGraceMs = 10_000;

/**
 * Makes this process the only supervisor of a data folder, and ends what a killed predecessor has left running there.
 * @returns the names of the orphans that were ended.
 * @throws Failure when a living supervisor holds the folder.
 */
export async function claimDataFolder(folder: string): Promise<string[]> {
  mkdirSync(recordsFolder(folder), { recursive: true });
  claim(folder);
  const orphans = readRecords(folder).filter(
    (record) => classifyRecord(record, identify(record.pid)) === 'orphan',
  );
  await Promise.all(orphans.map((orphan) => endProcess(orphan, orphan.stopSignal)));
  for (const file of readdirSync(recordsFolder(folder))) rmSync(join(recordsFolder(folder), file));
  return orphans.map(({ name }) => name);
}

export function releaseDataFolder(folder: string): void {
  const latest = latestClaim(folder);
  if (readClaim(folder, latest)?.pid === process.pid) rmSync(claimFile(folder, latest), { force: true });
}

export function recordProcess(folder: string, record: ProcessRecord): void {
  writeFileSync(recordFile(folder, record.name), JSON.stringify(record));
}

export function forgetProcess(folder: string, name: string): void {
  rmSync(recordFile(folder, name), { force: true });
}

/** Only the very process that was recorded is ours to end; another one with its id is not. */
export function classifyRecord(
  record: ProcessRecord,
  running: ProcessIdentity | undefined,
): 'gone' | 'otherProcess' | 'orphan' {
  if (!running) return 'gone';
  return running.startedAt === record.startedAt ? 'orphan' : 'otherProcess';
}

/** Asks, waits, then kills. Does nothing when the process has ended already. */
export async function endProcess(identity: ProcessIdentity, stopSignal: NodeJS.Signals): Promise<void> {
  killProcess(identity, stopSignal);
  const deadline = Date.now() + orphanGraceMs;
  while (isAlive(identity) && Date.now() < deadline) await sleep(50);
  killProcess(identity, 'SIGKILL');
  while (isAlive(identity)) await sleep(20);
}

/**
 * Each claim has a number, the next one after that of a supervisor that is gone: of several that follow it at the same time,
 * one gets the number. The file appears with its text, or not at all.
 */
function claim(folder: string): void {
  const own = identify(process.pid);
  if (!own) throw new Error('this process cannot see itself in the process table');
  const mine = join(folder, `supervisor.of-${process.pid}.json`);
  writeFileSync(mine, JSON.stringify(own));
  try {
    while (!hasFollowed(folder, latestClaim(folder), mine));
  } finally {
    rmSync(mine);
  }
}

/** @throws Failure if the latest claim is that of a living process. */
function hasFollowed(folder: string, latest: number, mine: string): boolean {
  const holder = readClaim(folder, latest);
  if (holder && holder.pid !== process.pid && isAlive(holder))
    throw new Failure(heldMessage(folder, holder.pid));
  if (!hasLinked(mine, claimFile(folder, latest + 1))) return false;
  // The one before stays: who looks meanwhile must not find a folder without claims.
  for (const number of claimsOf(folder))
    if (number < latest) rmSync(claimFile(folder, number), { force: true });
  return true;
}

/** False if there is a file of that name already. */
function hasLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

export function heldMessage(folder: string, pid: number): string {
  return `Process ${pid} is running on ${folder} already: stop it first (Ctrl-C, or kill ${pid}), or choose another folder with DATA_DIR=<folder>.`;
}

/** -1 if there is none. */
function latestClaim(folder: string): number {
  return Math.max(-1, ...claimsOf(folder));
}

function claimsOf(folder: string): number[] {
  return readdirSync(folder).flatMap((file) => {
    const [, number] = /^supervisor(?:\.(\d+))?\.json$/.exec(file) ?? ['', 'none'];
    return number === 'none' ? [] : Number(number ?? 0);
  });
}

function readClaim(folder: string, number: number): ProcessIdentity | undefined {
  return readJson(claimFile(folder, number)) as ProcessIdentity | undefined;
}

function readRecords(folder: string): ProcessRecord[] {
  return readdirSync(recordsFolder(folder))
    .map((file) => readJson(join(recordsFolder(folder), file)) as ProcessRecord | undefined)
    .filter((record) => record !== undefined);
}

/** A file that a crash cut short says nothing. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const claimFile = (folder: string, number: number): string =>
  join(folder, number === 0 ? 'supervisor.json' : `supervisor.${number}.json`);
const recordsFolder = (folder: string): string => join(folder, 'processes');
const recordFile = (folder: string, name: string): string => join(recordsFolder(folder), `${name}.json`);
