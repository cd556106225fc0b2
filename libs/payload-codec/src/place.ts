import type { SerializationContext } from '@temporalio/common';

/** What a payload belongs to. No secret: Temporal shows all of it. */
export interface Place {
  readonly namespace: string;
  readonly workflowId: string;
  /** What the run is told and tells, or what its activities are given and find out. */
  readonly purpose: 'workflow' | 'activity';
}

export function placeOf({ namespace, workflowId = '', type }: SerializationContext): Place {
  return { namespace, workflowId, purpose: type };
}

/** The same text for the same place, always: it is compared, and authenticated. */
export function writePlace({ namespace, workflowId, purpose }: Place): string {
  return JSON.stringify([namespace, workflowId, purpose]);
}

export function readPlace(text: string): Place | undefined {
  if (text === '') return undefined;
  try {
    const [namespace, workflowId, purpose] = JSON.parse(text) as [string, string, Place['purpose']];
    return { namespace, workflowId, purpose };
  } catch {
    return undefined;
  }
}
