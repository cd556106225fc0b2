import { requestKinds } from '#workflows/lifecycle/request-kinds.js';
import type { StepOf, SteppingState } from '#workflows/lifecycle/step';
import type { CommandRow, SubjectRow } from '../rows/row-types.js';
import type { Stage } from './stage.js';

/** What can be asked of a run by a signal that no API has sent. */
export const requests: Readonly<Record<string, readonly (keyof typeof requestKinds | 'payerCancelled')[]>> = {
  payment: [
    'captureRequested',
    'voidRequested',
    'releaseRequested',
    'reauthorizeRequested',
    'cancelRequested',
    'payerCancelled',
  ],
  payout: ['itemCancelRequested'],
  subscription: ['suspendRequested', 'reactivateRequested', 'cancelRequested', 'payerCancelled'],
};

/** Somebody who can write to Temporal, and has no key: names no command, or one that asks for something else. */
export function playIntruder(stage: Stage): void {
  const { draws } = stage.world;
  const likelihood = isForDoubt(stage) ? 1 : 0.06;
  stage.watch({
    subjectChanged: (before, after) => {
      if (!before && requests[after.kind] && draws.chance('intruder', likelihood)) void intrude(stage, after);
    },
    commandChanged: () => undefined,
  });
}

async function intrude(stage: Stage, { id, kind }: SubjectRow): Promise<void> {
  const { world, rows } = stage;
  const { draws, clock } = world;
  for (let left = draws.between('intrusions', 1, 3); left > 0; left -= 1) {
    if (isForDoubt(stage)) await stage.until(() => isInDoubt(stage, id));
    await clock.sleep(draws.spread('intrudes after', 100, draws.chance('soon', 0.7) ? 120_000 : 86_400_000));
    const type = draws.pick('raw request', requests[kind] ?? []);
    const known = [...rows.commands.values()].filter(({ subjectId }) => subjectId === id);
    const borrowed = draws.chance('names a command', 0.5) ? draws.pick('named', known).id : undefined;
    const [item] = rows.items.get(id) ?? [];
    const event = {
      type,
      commandId: borrowed ?? world.nextId('cmd_raw'),
      ...(type === 'captureRequested' && { minor: draws.pick('raw minor', [1_000, 3_000, 10_000]) }),
      ...(item && { itemId: item.item_id, providerItemId: item.provider_item_id }),
      note: 'raw',
    };
    if (!world.faults.strikes('intrusion', 0.8, `a raw ${type} (${event.commandId}) is sent to ${id}`))
      continue;
    world.hasIntruder = true;
    stage.server.signal(stage.workflowId(id), type, { id: world.nextId('raw'), event });
  }
}

function isForDoubt({ world }: Stage): boolean {
  return world.coincidence === 'raw signals in doubt';
}

function isInDoubt(stage: Stage, id: string): boolean {
  return stage.row<SteppingState<StepOf>>(id).state.openStep?.phase === 'doubt';
}

/** Nothing is carried out of which the rows have no accepted request, with the amount that was asked for. */
export function watchPermissions({ watch, world, rows }: Stage): void {
  const violate = (words: string) => world.violate('without permission', words);
  watch({
    subjectChanged: (before, { id, kind: kindOfIt, status, state }) => {
      if (
        status !== 'cancelled' ||
        !requests[kindOfIt] ||
        before?.status === status ||
        'agreementId' in state
      )
        return;
      const asked = [...rows.commands.values()].some(
        ({ subjectId, kind }) => subjectId === id && kind === 'cancel',
      );
      if (!asked && !rows.payerCancelled.has(id)) violate(`${id} is cancelled`);
    },
    commandChanged: () => undefined,
    attemptBegun: ({ subject_id: id, step, step_name: name }) => {
      const { commandId } = step;
      if (commandId === undefined || commandId.startsWith(`${id}:`)) return;
      const command = rows.commands.get(commandId);
      if (!command || command.subjectId !== id || !kindOfStep[step.type]?.includes(command.kind))
        violate(`${step.type} ${name} of ${id}`);
      else if (!isAsAsked(command, step)) violate(`${step.type} ${name} of ${id}, not as it was asked for`);
    },
  });
}

/** What an operator decides is carried out for the decision. */
const kindOfStep: Readonly<Record<string, readonly CommandRow['kind'][]>> = {
  captureAuthorization: ['capture'],
  voidAuthorization: ['void', 'release', 'decide'],
  reauthorizeAuthorization: ['reauthorize'],
  cancelPayoutItem: ['cancelItem'],
  suspendAgreement: ['suspend'],
  reactivateAgreement: ['reactivate'],
  cancelAgreement: ['cancel'],
  billBalance: ['billBalance'],
  setBalance: ['setBalance'],
  deactivatePlan: ['deactivate'],
  makeRefund: ['refund'],
};

function isAsAsked({ kind, parameters: { minor } }: CommandRow, step: object): boolean {
  return kind === 'decide' || minor === undefined || !('minor' in step) || step.minor === minor;
}
