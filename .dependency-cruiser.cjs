/** The arrows of docs/decisions/0001: data and imports flow one way. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(apps|libs|tools|bench|proof|test)/', pathNot: [from, ...allowed] },
});

/** A lib, an app or a folder of the clone. What is in another one is imported by its name in package.json. */
const room = '^(apps/[^/]+|libs/[^/]+|tools|bench|proof|test)/';
const byName = 'aliased-subpath-import';
const face = '/(index|testing)\\.ts$';

module.exports = {
  forbidden: [
    { name: 'others-by-name', severity: 'error', from: { path: room }, to: { path: room, pathNot: '^$1/', dependencyTypesNot: [byName] } },
    { name: 'own-by-path', severity: 'error', from: { path: room }, to: { path: '^$1/', dependencyTypes: [byName] } },
    // No other rule sees an import that is not resolved.
    { name: 'names-lead-somewhere', severity: 'error', from: {}, to: { path: '^#', couldNotResolve: true } },
    // A face is the index.ts of a lib, or of one of its rooms. Tests look inside, and so does what takes the place of insides.
    {
      name: 'libs-by-their-faces',
      severity: 'error',
      from: { path: '^(apps|tools|bench|proof/faults|proof/mutants)/' },
      to: { path: '^libs/', pathNot: face },
    },
    {
      name: 'other-libs-by-their-faces',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', face] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-folder-cycles', scope: 'folder', severity: 'error', from: { path: '^(libs|apps|tools|bench|proof)/' }, to: { circular: true } },
    { name: 'apps-never-import-apps', severity: 'error', from: { path: '^apps/([^/]+)/' }, to: { path: '^apps/', pathNot: '^apps/$1/' } },
    {
      name: 'lifecycle-is-pure',
      severity: 'error',
      from: { path: '^libs/workflows/src/lifecycle/' },
      to: { pathNot: '^libs/workflows/src/lifecycle/' },
    },
    only('contract', '^libs/workflows/src/contract/', ['^libs/workflows/src/lifecycle/']),
    only('workflows', '^libs/workflows/', []),
    {
      name: 'zod-stays-out-of-workflow-code',
      severity: 'error',
      from: { path: '^libs/workflows/' },
      to: { path: 'node_modules/(zod|kysely|pg|undici|@nestjs)' },
    },
    only('engine-client', '^libs/engine-client/', []),
    only('payments-client', '^libs/payments-client/', []),
    only('database', '^libs/database/', ['^libs/workflows/src/(contract/|lifecycle/)']),
    only('runs', '^libs/runs/', ['^libs/workflows/src/(contract/|lifecycle/)', '^libs/payload-codec/']),
    only('webhook-inbox', '^libs/webhook-inbox/', [
      '^libs/workflows/src/(contract/|lifecycle/)',
      '^libs/payments-client/src/webhooks/',
      '^libs/(database|runs)/',
    ]),
    only('configuration', '^libs/configuration/', []),
    only('observability', '^libs/observability/', ['^libs/database/', '^libs/workflows/src/contract/']),
    only('payload-codec', '^libs/payload-codec/', []),
    only('worker', '^apps/worker/', ['^libs/']),
    only('api', '^apps/api/', [
      '^libs/workflows/src/(contract/|lifecycle/)',
      '^libs/payments-client/src/(addresses|webhooks)/',
      '^libs/(database|configuration|observability|payload-codec|runs|webhook-inbox)/',
    ]),
    only('sandbox', '^apps/sandbox/', []),
    // What proves the engine can be deleted without it: only its tests know it, and bootstrap.mjs its commands.
    { name: 'nobody-needs-proof', severity: 'error', from: { path: '^(apps|libs|tools|bench)/' }, to: { path: '^proof/' } },
    only('breakages', '^proof/breakages/', []),
    only('simulator', '^proof/simulator/', ['^proof/breakages/', '^apps/worker/', '^libs/']),
    only('campaigns', '^proof/faults/', ['^libs/', '^tools/']),
    only('mutants', '^proof/mutants/', ['^proof/breakages/', '^tools/']),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'], extensions: ['.ts', '.tsx', '.js'] },
    exclude: { path: '^dist/' },
  },
};
