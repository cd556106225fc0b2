import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '#tools/child-output.js';
import { projectRoot } from '#tools/project.js';

export interface Target {
  readonly url: string;
  readonly apiKey: string;
}

export interface FuzzOptions {
  /** The most that one tool may take. */
  readonly seconds: number;
  readonly seed: number;
  /** Where reports are left. */
  readonly reports: string;
}

export interface FuzzResult {
  readonly tool: string;
  readonly operations: number;
  readonly cases: number;
  readonly findings: readonly string[];
}

/** A public tester of HTTP APIs by their OpenAPI document. */
export interface FuzzTool {
  readonly name: string;
  /** @returns undefined where the tool cannot be had. */
  run(target: Target, options: FuzzOptions, signal: AbortSignal): Promise<FuzzResult | undefined>;
}

/** An OpenAPI document, as far as it matters here. */
export type Document = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly operationId: string; readonly 'x-internal'?: boolean }>>
    >
  >;
};

export async function documentOf({ url }: Target): Promise<Document> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Document;
}

/** What no order service calls has credentials of its own; a stream of events does not end. */
export function isLeftOut(operation: Document['paths'][string][string]): boolean {
  return operation['x-internal'] === true || operation.operationId.startsWith('listenTo');
}

type Command = readonly [command: string, ...args: string[]];

/**
 * A tool in the clone's cache, which git ignores. It is got once, by the clients of its registries.
 *
 * @param marks a file that is there once the tool is.
 * @returns its folder; undefined where a command is missing or fails.
 */
export async function cachedTool(
  {
    stamp,
    marks,
    commands,
  }: {
    readonly stamp: string;
    readonly marks: string;
    readonly commands: (folder: string) => readonly Command[];
  },
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = join(projectRoot, '.cache/api-fuzz', stamp);
  if (existsSync(join(folder, marks))) return folder;
  mkdirSync(folder, { recursive: true });
  for (const [command, ...args] of commands(folder)) {
    const { exitCode } = await runToEnd({ command, args, isShown: false, cwd: folder }, signal).catch(() => ({
      exitCode: null,
    }));
    if (exitCode !== 0) return undefined;
  }
  return folder;
}
