import { Client, Connection } from '@temporalio/client';
import { workflowIdOf } from '#workflows/contract';
import { costOfClosingRun, type RunCost } from '../run-cost.js';
import { withoutKeys } from '../sealed-payloads.js';
import { applicationName, environmentName, temporalNamespace } from '../stack-environment.js';
import { playAuthorize } from './authorize.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { playExpiry } from './expiry.js';
import { playPartialCapture } from './partial-capture.js';
import { playPayout } from './payout.js';
import { playRefund } from './refund.js';
import { playSale } from './sale.js';
import { playSubscription } from './subscription.js';

/**
 * Plays one lifecycle to its end.
 *
 * @throws Failure unless it ends as it should, by the engine's answers and by the provider's books.
 */
export type Play = (context: DemoContext) => Promise<PlayedLifecycle>;

export const lifecycles: Readonly<Record<string, Play>> = {
  authorize: playAuthorize,
  payout: playPayout,
  'partial-capture': playPartialCapture,
  expiry: playExpiry,
  refund: playRefund,
  subscription: playSubscription,
  sale: playSale,
};

export interface Demonstrated extends RunCost {
  readonly state: string;
  /** Milliseconds from the order to the end. */
  readonly ms: number;
}

/** Plays one lifecycle and reports what its run has cost in Temporal. @throws Failure as the play does. */
export async function demonstrate(
  play: Play,
  context: DemoContext,
  temporalAddress: string,
): Promise<Demonstrated> {
  const startedAt = Date.now();
  const { id, state } = await play(context);
  const ms = Date.now() - startedAt;
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const temporal = new Client({ connection, namespace: temporalNamespace, dataConverter: withoutKeys });
    return { state, ...(await costOfClosingRun(temporal, runOf(id))), ms };
  } finally {
    await connection.close();
  }
}

/** The workflow's id of what was played on a development stack. */
export function runOf(id: string): string {
  return workflowIdOf({ environment: environmentName, application: applicationName, id });
}
