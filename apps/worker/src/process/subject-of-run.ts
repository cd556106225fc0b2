import { prefixOf, subjectKinds } from '#workflows/contract';

/** For a log line: the payment, refund, plan, subscription or payout of a run; nothing for a run of a Schedule. */
export function subjectOfRun(workflowId = ''): { readonly subject?: string } {
  const subject = workflowId.split('/').at(-1) ?? '';
  const isOne = subjectKinds.some(
    (kind) => workflowId.startsWith(`${kind}/`) && subject.startsWith(prefixOf(kind)),
  );
  return isOne ? { subject } : {};
}
