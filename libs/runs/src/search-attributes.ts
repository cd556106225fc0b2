import { setTimeout as wait } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import { searchAttributes } from '#workflows/contract';

const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
const searchableWithinMs = 120_000;

/** Names of the Keyword attributes by which runs are found in Temporal. */
export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

type Services = Pick<Connection, 'operatorService' | 'workflowService'>;

/**
 * Registers the search attributes that the server does not have, and resolves when runs can carry them: a server of
 * several roles learns of an attribute from its store, and refuses runs that carry it until then.
 *
 * @throws the server's error if it does not take them in time.
 */
export async function ensureSearchAttributes(
  services: Services,
  namespace: string,
  names: readonly string[] = searchAttributeNames,
): Promise<void> {
  if ((await refusalOf(services, namespace, names)) === undefined) return;
  for (const name of names) await register(services, namespace, name);
  for (const deadline = Date.now() + searchableWithinMs; ;) {
    const refusal = await refusalOf(services, namespace, names);
    if (refusal === undefined) return;
    if (Date.now() > deadline) throw refusal;
    await wait(100);
  }
}

async function register({ operatorService }: Services, namespace: string, name: string): Promise<void> {
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: keyword } });
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== status.ALREADY_EXISTS) throw error;
  }
}

/** @returns the server's error, if it does not know one of them. */
async function refusalOf(
  { workflowService }: Services,
  namespace: string,
  names: readonly string[],
): Promise<Error | undefined> {
  const query = names.map((name) => `${name} = 'none'`).join(' AND ');
  try {
    await workflowService.listWorkflowExecutions({ namespace, pageSize: 1, query });
    return undefined;
  } catch (error) {
    if (isGrpcServiceError(error)) return error;
    throw error;
  }
}
