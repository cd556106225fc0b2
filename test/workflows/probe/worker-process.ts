import { readFileSync } from 'node:fs';
import { NativeConnection, Runtime, Worker, DefaultLogger } from '@temporalio/worker';

/**
 * A worker of the probe, in a process that can be killed. Its activities are carried out by the process that has started it. Node
 * runs this file as it stands, so it imports nothing of ours.
 */
const [address = '', taskQueue = '', bundle = ''] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger('ERROR') });

let calls = 0;
const waiting = new Map<number, (result: string) => void>();
process.on('message', ({ call, result }: { call: number; result: string }) => {
  waiting.get(call)?.(result);
  waiting.delete(call);
});
process.on('disconnect', () => process.exit());

const carryOut = async (word: string): Promise<string> => {
  const call = (calls += 1);
  return await new Promise((resolve) => {
    waiting.set(call, resolve);
    process.send?.({ call, word });
  });
};

const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: { code: readFileSync(bundle, 'utf8') },
  activities: { carryOut },
});
await worker.run();
