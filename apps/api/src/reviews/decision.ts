import { z } from 'zod';
import { withoutEmails } from '#database/text';
import type { DecisionMessage } from '#workflows/contract';
import type { CommandRequest } from '../commands/command-sender.js';
import { bodyHash } from '../commands/idempotency.js';
import { resourceId, text } from '../wire/fields.js';

/** For the documents of all decisions. */
export const decisionExample = {
  decision: 'did_not_happen',
  reason: 'The provider’s support found no such movement: case 4711.',
};

/** The body of a decision. */
export function decisionRequest<const Decision extends string>(
  decisions: readonly [Decision, ...Decision[]],
  { decision, evidence }: { readonly decision: string; readonly evidence: string },
) {
  return z.strictObject({
    decision: z.enum(decisions).meta({ description: decision }),
    reason: text(1_000).meta({ description: 'Why the operator decides so. It is stored permanently.' }),
    evidence: z
      .strictObject({ resourceId })
      .optional()
      .meta({ description: `The provider’s id of ${evidence}; the engine reads it there.` }),
    isUnverified: z.boolean().optional().meta({
      description:
        '`true`: accept the decision even if the provider cannot be read to check it, where a later read corrects a mistake: never of a creation, an execution or a refund. A decision never overrules what the provider shows.',
    }),
  });
}

interface DecisionRequest<Decision extends string> {
  readonly decision: Decision;
  readonly reason: string;
  readonly evidence?: { readonly resourceId: string } | undefined;
  readonly isUnverified?: boolean | undefined;
}

/** The command that carries a decision to the run. */
export function decisionCommand<Decision extends string>(
  subjectId: string,
  idempotencyKey: string,
  { decision, evidence, isUnverified, ...asked }: DecisionRequest<Decision>,
): CommandRequest<DecisionMessage<Decision>['event']> {
  const parameters = {
    decision,
    reason: withoutEmails(asked.reason),
    ...(evidence && { resourceId: evidence.resourceId }),
    ...(isUnverified && { isUnverified }),
  };
  return {
    kind: 'decide',
    subjectId,
    idempotencyKey,
    bodyHash: bodyHash(parameters),
    parameters,
    event: (commandId) => ({ type: 'reviewDecided', commandId, ...parameters }),
  };
}
