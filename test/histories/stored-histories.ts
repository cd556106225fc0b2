import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { until } from '../helpers/until.js';
import { plainTwin } from './plain-twin.js';

const { History } = temporal.api.history.v1;
export type History = temporal.api.history.v1.History;

export const lifecycles = ['payment', 'refund', 'payout', 'plan', 'subscription'] as const;
export type HistoryName = `${(typeof lifecycles)[number]}/${string}`;

/** As the engine's runs stand at Temporal; and as they would with the default data converter. */
export const forms = ['encrypted', 'plain'] as const;
export type Form = (typeof forms)[number];

export function storedNames(form: Form = 'encrypted'): readonly HistoryName[] {
  return lifecycles.flatMap((lifecycle) => {
    const folder = new URL(`${lifecycle}/`, folderOf[form]);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    return files.map((file) => `${lifecycle}/${file.replace(/\.binpb$/, '')}` as const).toSorted();
  });
}

export function storedHistory(name: HistoryName, form: Form = 'encrypted'): History {
  return History.decode(readFileSync(fileOf(name, form)));
}

/** A release that changes how every run goes records the same runs again, beside the older ones. */
const generation = process.env['HISTORY_GENERATION'];

/**
 * Stores the history of a run in both forms, unless one is stored under that name. It is kept then: it was written by
 * the code of its day, as the histories of open runs were. To have it recorded again, delete its file on purpose.
 *
 * @param temporalClient any: histories are fetched as they are stored, encrypted under `historyKeys`.
 */
export async function storeHistory(
  temporalClient: Client,
  base: HistoryName,
  workflowId: string,
): Promise<void> {
  const name: HistoryName = generation === undefined ? base : `${base}-${generation}`;
  if (existsSync(fileOf(name, 'encrypted'))) {
    process.stderr.write(`kept ${name}, which is stored\n`);
    return;
  }
  const { workflow } = temporalClient;
  const atRest = await until(
    async () => History.fromObject(await workflow.getHandle(workflowId).fetchHistory()),
    isAtRest,
    `${workflowId} to be at rest`,
  );
  write(name, 'encrypted', atRest);
  await storePlainTwin(name);
}

/** Cut off within a workflow task it would not hold what the run did last, and a replay would not mind. */
export function isAtRest({ events }: History): boolean {
  const last = events.at(-1)?.eventType;
  return last !== undefined && last !== null && !underWay.has(last);
}

const { EventType } = temporal.api.enums.v1;
const underWay: ReadonlySet<temporal.api.enums.v1.EventType> = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
  EventType.EVENT_TYPE_TIMER_FIRED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
]);

export async function storePlainTwin(name: HistoryName): Promise<void> {
  write(name, 'plain', await plainTwin(storedHistory(name)));
}

function write(name: HistoryName, form: Form, history: History): void {
  const file = fileOf(name, form);
  mkdirSync(new URL('./', file), { recursive: true });
  writeFileSync(file, History.encode(history).finish());
}

function fileOf(name: HistoryName, form: Form): URL {
  return new URL(`${name}.binpb`, folderOf[form]);
}

const folderOf: Readonly<Record<Form, URL>> = {
  encrypted: new URL('./', import.meta.url),
  plain: new URL('./plain/', import.meta.url),
};
