import { Failure } from '../failure.js';
import { buildWithGo, isGoInstalled, type GoBuild } from '../go-build.js';
import { cachedPrograms, findCachedPrograms } from '../program-cache.js';

/** Paths of the programs of Temporal's production server. */
export interface ClusterPrograms {
  readonly server: string;
  /** Makes and updates the tables. It carries the schema of its version. */
  readonly schemaTool: string;
  readonly webUi: string | undefined;
}

interface Build {
  readonly what: string;
  readonly duration: string;
  readonly stamp: string;
  /** `example.org/module/cmd/program`, all of one module. */
  readonly packages: readonly string[];
  readonly version: string;
}

/** The newest, which needs Go 1.26.10, and those for an older Go (1.26.8, 1.25) that may not fetch a newer one. */
const serverVersions = ['v1.32.2', 'v1.32.1', 'v1.29.1'] as const;
/** Needs no newer Go than the last server. */
const webUiVersion = 'v2.42.1';

const serverBuilds = serverVersions.map((version): Build => ({
  what: "Temporal's production server",
  duration: 'a few minutes',
  stamp: `temporal-server-${version}`,
  packages: ['go.temporal.io/server/cmd/server', 'go.temporal.io/server/cmd/tools/sql'],
  version,
}));

const webUiBuild: Build = {
  what: "Temporal's Web UI",
  duration: 'about a minute',
  stamp: `temporal-ui-server-${webUiVersion}`,
  packages: ['github.com/temporalio/ui-server/v2/cmd/server'],
  version: webUiVersion,
};

/**
 * The programs of the user's cache, else built by Go from its module proxy: Temporal offers no others for download that
 * need no container.
 * @throws Failure saying what is missing.
 */
export async function findClusterPrograms(options: {
  readonly webUi: boolean;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}): Promise<ClusterPrograms> {
  const [server = '', schemaTool = ''] = await findFirst(serverBuilds, options);
  const [webUi] = options.webUi ? await find(webUiBuild, options) : [];
  return { server, schemaTool, webUi };
}

/** Whether the newest server can be started without a build of minutes. */
export function isServerCached(): boolean {
  const [newest] = serverBuilds;
  return !!newest && cachedPrograms({ stamp: newest.stamp, names: namesOf(newest) }) !== undefined;
}

/** The newest that can be had: an older Go refuses newer modules. */
async function findFirst(
  [build, ...older]: readonly Build[],
  progress: Pick<GoBuild, 'report' | 'signal'>,
): Promise<string[]> {
  if (!build) return [];
  try {
    return await find(build, progress);
  } catch (error) {
    if (older.length === 0 || progress.signal?.aborted || !(error instanceof Failure)) throw error;
    progress.report(error.message);
    return await findFirst(older, progress);
  }
}

function find(build: Build, progress: Pick<GoBuild, 'report' | 'signal'>): Promise<string[]> {
  const { what, duration, stamp, packages, version } = build;
  const need = `needs ${what} ${version}, which Go (https://go.dev/dl) builds once from its module proxy.`;
  return findCachedPrograms({
    stamp,
    names: namesOf(build),
    async get(folder) {
      if (!isGoInstalled()) throw new Failure(`There is no Go here: the cluster ${need}`);
      const targets = packages.map((path) => `${path}@${version}`);
      await buildWithGo({
        what,
        duration,
        packages: targets,
        folder,
        advice: `The cluster ${need}`,
        ...progress,
      });
    },
  });
}

/** As `go install` names them. */
function namesOf({ packages }: Build): string[] {
  return packages.map((path) => path.slice(path.lastIndexOf('/') + 1));
}
