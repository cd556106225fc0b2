import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from '@temporalio/worker';

export type WorkflowCode = Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'buildId'>;

/** The bundle from the build. Otherwise (tests, run from source) the SDK bundles the workflows itself. */
export function workflowCode(bundle: string | undefined): WorkflowCode {
  const isCompiled = import.meta.url.endsWith('.js');
  const built = bundle ?? fileURLToPath(new URL('../../../../workflow-bundle.js', import.meta.url));
  if (existsSync(built)) return { workflowBundle: { codePath: built }, buildId: buildIdOf(built) };
  const entry = isCompiled ? 'index.js' : 'index.ts';
  return {
    workflowsPath: fileURLToPath(new URL(`../../../../libs/workflows/src/${entry}`, import.meta.url)),
  };
}

/** Short, because each workflow task leaves it in the history twice: the SDK's own has 90 characters. */
function buildIdOf(bundle: string): string {
  return hash('sha256', readFileSync(bundle), 'hex').slice(0, 12);
}
