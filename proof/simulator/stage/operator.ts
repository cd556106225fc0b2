import { type PaymentState, reviewSubject } from '#workflows/lifecycle/payment';
import { type StepOf, type SteppingState, stepUnderReview } from '#workflows/lifecycle/step';
import type { SubjectRow } from '../rows/row-types.js';
import type { Stage } from './stage.js';

const day = 86_400_000;

/**
 * The operator. For a batch the operator reads the provider's books; for everything else the operator tries both
 * decisions in turn, because each is checked against the provider before it takes effect.
 */
export function decideReviews(stage: Stage): void {
  const asked = new Set<string>();
  stage.watch({
    subjectChanged: (_before, { id, status }) => {
      if (status !== 'needs_review' || asked.has(id)) return;
      asked.add(id);
      void decide(stage, id).finally(() => asked.delete(id));
    },
    commandChanged: () => undefined,
  });
}

async function decide(stage: Stage, subjectId: string): Promise<void> {
  const { world, rows } = stage;
  const isAsked = () => stage.row(subjectId).status === 'needs_review';
  for (let times = 0; times < 10; times += 1) {
    await world.clock.sleep(times === 0 ? world.draws.spread('operator', 60_000, 3 * day) : 4 * day);
    if (!isAsked()) return;
    const commandId = world.nextId('cmd_');
    const word = wordAbout(stage, subjectId, times);
    const step = stepUnderReview(stage.row<SteppingState<StepOf>>(subjectId).state);
    const parameters = { ...word, reason: 'looked', step };
    rows.commands.accept({ id: commandId, kind: 'decide', subjectId, parameters });
    world.tell(() => `an operator decides about ${subjectId}: ${word.decision} (${commandId})`);
    await handOver(stage, subjectId, {
      id: commandId,
      event: { type: 'reviewDecided', commandId, ...parameters },
    });
  }
}

/** As apps/api/src/commands gives it: handed over again by the same request, unless something has come of it by then. */
async function handOver(
  stage: Stage,
  subjectId: string,
  message: { readonly id: string; readonly event: unknown },
): Promise<void> {
  const { world, rows, server } = stage;
  while (rows.commands.get(message.id)?.status === 'accepted') {
    const answer = await server.update(stage.workflowId(subjectId), message.id, 'decideReview', message);
    if (answer === 'taken') return;
    if (answer === 'lost') await world.clock.sleep(world.draws.spread('decides again', 5, 10_000));
    else if (answer === 'closed')
      rows.commands.refuse(message.id, { code: 'not_allowed_in_state', reason: 'It has ended.' });
    else rows.commands.refuse(message.id, answer);
  }
}

/** The sale of a cycle can look like that of a billed balance: only the provider's books tell them apart. */
function wordAboutBilling(
  { agreements }: Stage['provider'],
  { attempts }: Stage['rows'],
  { state }: SubjectRow,
) {
  const step = (state as SteppingState<StepOf>).openStep?.step;
  if (step?.type !== 'billBalance' && step?.type !== 'setBalance') return undefined;
  const [resourceId] = attempts
    .filter((attempt) => attempt.step.commandId === step.commandId)
    .flatMap(({ request_id }) => agreements.balancesUnder(request_id));
  return resourceId === undefined
    ? { decision: 'did_not_happen', isUnverified: true }
    : step.type === 'billBalance'
      ? { decision: 'happened', resourceId }
      : { decision: 'happened', isUnverified: true };
}

function wordAbout({ provider, world, rows }: Stage, subjectId: string, times: number) {
  const [batch] = provider.payouts.of(subjectId);
  if (batch) return { decision: 'happened', resourceId: batch.id };
  const row = rows.subjects.get(subjectId);
  const billing = row?.kind === 'subscription' ? wordAboutBilling(provider, rows, row) : undefined;
  if (billing) return billing;
  const question = row?.kind === 'payment' ? reviewSubject(row.state as PaymentState) : undefined;
  if (question === 'amount') return { decision: world.draws.pick('another amount', ['void', 'keep']) };
  if (question === 'sale_amount') return { decision: 'keep' };
  const isPayout = subjectId.startsWith('po_');
  return isPayout || times % 2 === 0
    ? { decision: 'did_not_happen', isUnverified: isPayout }
    : { decision: 'happened' };
}
