import { join } from 'node:path';
import { readClusterSize } from './cluster/options.js';
import { startCluster } from './cluster/start-cluster.js';
import { runCommand } from './command.js';
import { dataFolderFrom } from './data-folder.js';
import { portsFrom, serveStack } from './serve-stack.js';

// Data of its own, beside those of `npm start`: runs that one Temporal knows the other one does not.
await runCommand((signal) => {
  const size = readClusterSize(process.argv.slice(2));
  return serveStack(join(dataFolderFrom(process.env), 'cluster'), signal, (options) =>
    startCluster({ ...options, ...size, ports: portsFrom(process.env) }),
  );
});
