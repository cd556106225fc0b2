import type { CallFaultKind } from './fault-kinds.js';
import { changeFields } from './field-path.js';

type AlteringFault = Extract<CallFaultKind, { kind: 'unknown_enum' | 'reshape' }>;

/**
 * The answer with what the fault changes in it. What is not JSON, and fields that are not there, stay as they are; only
 * text becomes an unknown value, so that a field keeps its type.
 */
export function alterAnswer(fault: AlteringFault, payload: string): string {
  const answer = readAnswer(payload);
  if (answer === undefined) return payload;
  if (fault.kind === 'unknown_enum') {
    changeFields(answer, fault.field, (parent, key) => {
      if (typeof parent[key] === 'string') parent[key] = fault.value;
    });
    return JSON.stringify(answer);
  }
  for (const path of fault.remove) {
    // The places of a list close up at the end: until then each is still found under its own number.
    changeFields(answer, path, (parent, key) => {
      parent[key] = undefined;
    });
  }
  for (const [path, value] of Object.entries(fault.add)) {
    changeFields(answer, path, (parent, key) => {
      parent[key] = value;
    });
  }
  return JSON.stringify(answer, withoutEmptyPlaces);
}

function withoutEmptyPlaces(_key: string, value: unknown): unknown {
  return Array.isArray(value) ? value.filter((item) => item !== undefined) : value;
}

function readAnswer(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
