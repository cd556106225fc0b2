import type { Database } from '#database/connection';
import type { CommandKind } from '#database/schema';
import { hasPayerCancelled } from '#database/subjects';
import { subscriptionRecords, type CommandOutcome } from '#database/transitions';
import {
  type SubscriptionIdentity,
  type SubscriptionStepInput,
  subscriptionCommandId,
  subscriptionSubject,
} from '#workflows/contract';
import {
  subscriptionLifecycle,
  nameOfStep,
  type SubscriptionEvent,
  type SubscriptionState,
  type SubscriptionStep,
} from '#workflows/lifecycle/subscription';
import type { Reported, Work } from '../steps/activities/subject-writer.js';
import { refusalMeanings } from '../steps/attempts/error-mapping.js';
import {
  cancelledUncalled,
  decisions,
  outcomeOfUndone,
  refusedCommands,
} from '../steps/activities/command-outcomes.js';

interface SubscriptionKind {
  readonly identity: SubscriptionIdentity;
  readonly state: SubscriptionState;
  readonly event: SubscriptionEvent;
  readonly step: SubscriptionStep;
}
export type SubscriptionWork = Work<SubscriptionKind>;

export const subscriptionWriter: SubscriptionWork['writer'] = {
  lifecycle: subscriptionLifecycle,
  records: subscriptionRecords,
  subjectOf: subscriptionSubject,
  waitPolicyOf: ({ order }) => order.patience,
  nameOfStep,
  commandOf,
  commandsIn: (timeline) => [
    ...refusedCommands(timeline),
    ...cancelledUncalled(timeline),
    ...decisions(timeline),
  ],
  outcomeOfStep,
  withRows,
  madeAtOf: ({ openStep }, begunAt) => (openStep?.step.type === 'executeAgreement' ? begunAt : undefined),
  refusalMeanings: refusalMeanings.subscription,
};

/** A signal is not a permission: the payer's cancellation that the run remembers is marked in the row, or ends nothing. */
async function withRows(
  db: Database,
  { identity, state }: SubscriptionStepInput,
  event: Reported<SubscriptionKind>,
): Promise<Reported<SubscriptionKind>> {
  if (!state.isCancelWaiting) return event;
  const isFounded = () => hasPayerCancelled(db, 'subscriptions', identity.subscriptionId);
  switch (event.type) {
    case 'approvalFoundMissing':
    case 'stepDecidedUndone': {
      const { isCancelUnfounded: _earlier, ...missing } = event;
      return { ...missing, ...(!(await isFounded()) && { isCancelUnfounded: true }) };
    }
    case 'stepDeferred':
    case 'stepProvedUndone': {
      const { isCancelFounded: _earlier, ...unmade } = event;
      return { ...unmade, ...((await isFounded()) && { isCancelFounded: true }) };
    }
    default:
      return event;
  }
}

type NamedCommand = Pick<CommandOutcome, 'commandId' | 'kind'>;

const kinds = {
  suspendAgreement: 'suspend',
  reactivateAgreement: 'reactivate',
  cancelAgreement: 'cancel',
  billBalance: 'billBalance',
  setBalance: 'setBalance',
} as const satisfies Partial<Record<SubscriptionStep['type'], CommandKind>>;

/** The command that a step carries out. An execution has none: the payer's approval causes it. */
function commandOf(step: SubscriptionStep, { order }: SubscriptionState): NamedCommand | undefined {
  switch (step.type) {
    case 'createAgreement':
      return { commandId: subscriptionCommandId(order.subscriptionId), kind: 'create' };
    case 'executeAgreement':
      return undefined;
    case 'suspendAgreement':
    case 'reactivateAgreement':
    case 'cancelAgreement':
    case 'billBalance':
    case 'setBalance':
      return { commandId: step.commandId, kind: kinds[step.type] };
  }
}

function outcomeOfStep(
  step: SubscriptionStep,
  event: SubscriptionEvent,
  after: SubscriptionState,
): CommandOutcome | undefined {
  const command = commandOf(step, after);
  if (!command) return undefined;
  switch (event.type) {
    case 'agreementCreated':
    case 'agreementSuspended':
    case 'agreementReactivated':
    case 'agreementCancelled':
    case 'balanceBilled':
    case 'balanceSet':
      return { ...command, status: 'succeeded' };
    default:
      return outcomeOfUndone(command, event, after);
  }
}
