import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { Supervisor } from '#tools/supervisor.js';
import { bundleWorkflows } from '#tools/bundle-workflows.js';
import { startPostgres } from '#tools/postgres.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { identify } from '#tools/process-table.js';
import { projectRoot } from '#tools/project.js';
import { migrateDatabase } from '#database/connection';
import { searchAttributeNames } from '#runs';
import { migrateSandbox } from '#sandbox/sandbox.js';
import { findTemporal } from '#tools/temporal-binary.js';
import { startTemporalServer } from '#tools/temporal-server.js';
import { printAside } from '#tools/print.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a superuser's database in the cluster of this test run; see helpers/database.ts. */
    postgresUrl: string;
    /** Names of migrated databases that are only copied: a copy takes a third of the time of the migrations. */
    templates: Readonly<Record<'engine' | 'sandbox', string>>;
    /** host:port of the Temporal server of this test run; its store is in memory. */
    temporalAddress: string;
    /** Path of the bundle that workers load. */
    workflowBundle: string;
  }
}

const runsFolder = join(projectRoot, '.data/test');

/**
 * Real services, once per project: every project has a PostgreSQL of its own, all but `services` a Temporal server too. Tests
 * that cannot use vitest's `inject` find them in TEST_POSTGRES_URL and TEST_TEMPORAL_ADDRESS.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  deleteAbandonedRuns();
  const supervisor = await Supervisor.open({
    dataFolder: join(runsFolder, `${project.name}-${process.pid}`),
    report: printAside,
    onUnexpectedEnd: printAside,
  });
  try {
    await providePostgres(project, supervisor);
    if (project.name !== 'services') await provideTemporal(project, supervisor);
  } catch (error) {
    await supervisor.stopAll();
    throw error;
  }
  return async () => {
    await supervisor.stopAll();
    deleteDataFolder(supervisor.dataFolder);
  };
}

/** What test runs that failed to start, or were killed, have left. */
function deleteAbandonedRuns(): void {
  mkdirSync(runsFolder, { recursive: true });
  for (const name of readdirSync(runsFolder)) {
    if (!identify(Number(name.split('-').at(-1)))) deleteDataFolder(join(runsFolder, name));
  }
}

async function providePostgres(project: TestProject, supervisor: Supervisor): Promise<void> {
  // An engine has one or two APIs, a worker and a sandbox, each with a pool of its own.
  const settings = {
    max_connections: String(100 * (1 + project.config.maxWorkers)),
    // Within this time it visits every database, and those of ended tests stay.
    autovacuum_naptime: '30min',
  };
  const postgres = await startPostgres({ supervisor, name: 'postgres', settings });
  const url = postgres.url('postgres');
  const templates = { engine: 'template_engine', sandbox: 'template_sandbox' };
  await migrateDatabase(await postgres.ensureDatabase(templates.engine));
  await migrateSandbox(await postgres.ensureDatabase(templates.sandbox));
  project.provide('templates', templates);
  project.provide('postgresUrl', url);
  project.config.env = { ...project.config.env, TEST_POSTGRES_URL: url };
}

async function provideTemporal(project: TestProject, supervisor: Supervisor): Promise<void> {
  const program = await findTemporal(printAside);
  const temporal = await startTemporalServer({
    supervisor,
    program,
    store: 'memory',
    uiPort: null,
    settings: {
      // An activity goes to whoever polls for it, so that a test can take one and die with it (test/e2e/schedules).
      'system.enableActivityEagerExecution': false,
      // One that knows where it routes, so that a test can ask it (test/workflows/worker-versions).
      'matching.numTaskqueueReadPartitions': 1,
      'matching.numTaskqueueWritePartitions': 1,
    },
    searchAttributes: searchAttributeNames,
  });
  project.provide('temporalAddress', temporal.address);
  project.config.env = { ...project.config.env, TEST_TEMPORAL_ADDRESS: temporal.address };
  project.provide('workflowBundle', await bundleWorkflows(join(supervisor.dataFolder, 'workflow-bundle.js')));
}
