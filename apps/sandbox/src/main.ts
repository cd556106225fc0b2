import { readConfiguration } from './configuration.js';
import { startSandbox } from './sandbox.js';

try {
  const sandbox = await startSandbox(readConfiguration(process.env));
  let isClosing = false;
  const close = () => {
    if (isClosing) return;
    isClosing = true;
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
} catch (error) {
  process.stderr.write(
    `The payments service did not start. ${error instanceof Error ? error.message : ''}\n`,
  );
  process.exit(1);
}
