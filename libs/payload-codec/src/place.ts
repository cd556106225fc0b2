import type { SerializationContext } from '@temporalio/common';

/** The place that a payload belongs to. It is not secret: Temporal shows all of it. */
export interface Place {
  readonly namespace: string;
  readonly workflowId: string;
  /** `workflow`: inputs, messages and results of the run. `activity`: inputs and results of its activities. */
  readonly purpose: 'workflow' | 'activity';
}

export function placeOf({ namespace, workflowId = '', type }: SerializationContext): Place {
  return { namespace, workflowId, purpose: type };
}

/** Must always give the same text for the same place: the text is compared and authenticated. */
export function writePlace({ namespace, workflowId, purpose }: Place): string {
  return JSON.stringify([namespace, workflowId, purpose]);
}

/** The same in fewer bytes. A namespace holds no NUL: ours comes from a variable of the process. */
export function writeShortPlace({ namespace, workflowId, purpose }: Place): string {
  return `${purpose === 'workflow' ? 'w' : 'a'}${namespace}\0${workflowId}`;
}

export function readShortPlace(text: string): Place {
  const namespaceEnd = text.indexOf('\0');
  return {
    namespace: text.slice(1, namespaceEnd),
    workflowId: text.slice(namespaceEnd + 1),
    purpose: text.startsWith('w') ? 'workflow' : 'activity',
  };
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
