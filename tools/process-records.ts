import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
  if (readSupervisor(folder)?.pid === process.pid) rmSync(supervisorFile(folder), { force: true });
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

/** The file appears with its text, or not at all: an empty one would pass for one that a crash has cut short. */
function claim(folder: string): void {
  const own = identify(process.pid);
  if (!own) throw new Error('this process cannot see itself in the process table');
  const [file, mine] = [supervisorFile(folder), `${supervisorFile(folder)}.${process.pid}`];
  writeFileSync(mine, JSON.stringify(own));
  try {
    while (!hasLinked(mine, file)) removeLeftOver(folder);
  } finally {
    rmSync(mine);
  }
}

function removeLeftOver(folder: string): void {
  refuseIfHeld(folder, supervisorFile(folder));
  // Looked at again where nobody else removes it: another one may have claimed the folder since.
  const left = `${supervisorFile(folder)}.${process.pid}.left`;
  if (!hasRenamed(supervisorFile(folder), left)) return;
  try {
    refuseIfHeld(folder, left);
  } catch (error) {
    hasLinked(left, supervisorFile(folder));
    throw error;
  } finally {
    rmSync(left);
  }
}

function refuseIfHeld(folder: string, file: string): void {
  const holder = readJson(file) as ProcessIdentity | undefined;
  if (holder && holder.pid !== process.pid && isAlive(holder))
    throw new Failure(heldMessage(folder, holder.pid));
}

/** False if there is a file of that name already. */
function hasLinked(from: string, to: string): boolean {
  return unless('EEXIST', () => linkSync(from, to));
}

/** False if there is none of that name any more. */
function hasRenamed(from: string, to: string): boolean {
  return unless('ENOENT', () => renameSync(from, to));
}

function unless(code: string, act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return false;
  }
}

export function heldMessage(folder: string, pid: number): string {
  return `Process ${pid} is running on ${folder} already: stop it first (Ctrl-C, or kill ${pid}), or choose another folder with DATA_DIR=<folder>.`;
}

function readSupervisor(folder: string): ProcessIdentity | undefined {
  return readJson(supervisorFile(folder)) as ProcessIdentity | undefined;
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

const supervisorFile = (folder: string): string => join(folder, 'supervisor.json');
const recordsFolder = (folder: string): string => join(folder, 'processes');
const recordFile = (folder: string, name: string): string => join(recordsFolder(folder), `${name}.json`);
