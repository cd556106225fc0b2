import type { Client } from '@temporalio/client';

/** The input of a workflow's latest run, from the first event of its history. */
export async function readInput(client: Client, workflowId: string): Promise<unknown> {
  const { workflowService, options } = client;
  const { namespace, loadedDataConverter } = options;
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId },
    maximumPageSize: 1,
  });
  const [first] = history?.events ?? [];
  const where = { type: 'workflow', namespace, workflowId } as const;
  let payloads = first?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  for (const codec of loadedDataConverter.payloadCodecs.toReversed())
    payloads = await codec.decode(payloads, where);
  const [input] = payloads;
  if (!input) throw new Error(`the run ${workflowId} has no input`);
  return loadedDataConverter.payloadConverter.fromPayload(input, where);
}
