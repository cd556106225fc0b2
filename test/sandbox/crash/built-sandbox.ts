import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '#tools/project.js';

export interface BuiltSandbox {
  /** The program that a process runs. */
  readonly main: string;
  remove(): void;
}

/**
 * Compiles the payments service as the build does, but for itself and without checking types, so that a process of it
 * can be killed in a test. Inside the project, where its dependencies are found.
 */
export function buildSandbox(): BuiltSandbox {
  // The last number names the process that owns the folder: what a killed test run leaves is deleted by the next.
  const folder = join(projectRoot, '.data/test', `sandbox-build-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const configuration = ts.getParsedCommandLineOfConfigFile(
    join(projectRoot, 'tsconfig.build.json'),
    { noCheck: true, outDir: folder, incremental: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  if (configuration === undefined) throw new Error('tsconfig.build.json was not read');
  const main = 'apps/sandbox/src/main';
  const { emitSkipped } = ts.createProgram([join(projectRoot, `${main}.ts`)], configuration.options).emit();
  if (emitSkipped) throw new Error('The payments service was not compiled');
  return {
    main: join(folder, `${main}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function fail(diagnostic: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
}
