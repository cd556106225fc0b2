import type { CallFaultKind } from './fault-kinds.js';
import { fieldsAt, setField } from './field-path.js';

type AlteringFault = Extract<CallFaultKind, { kind: 'unknown_enum' | 'reshape' }>;

/**
 * The answer with the fault's changes. What is not JSON, and missing fields, stay unchanged; only text becomes an
 * unknown value, so that a field keeps its type.
 */
export function alterAnswer(fault: AlteringFault, payload: string): string {
  const answer = readAnswer(payload);
  if (answer === undefined) return payload;
  if (fault.kind === 'unknown_enum') {
    const texts = fieldsAt(answer, fault.field).filter(({ parent, key }) => typeof parent[key] === 'string');
    for (const field of texts) setField(field, fault.value);
    return JSON.stringify(answer);
  }
  // All paths lead through the real answer: through earlier additions, it would double with each path.
  const removed = fault.remove.map((path) => ({ fields: fieldsAt(answer, path), value: undefined }));
  const added = Object.entries(fault.add).map(([path, value]) => ({ fields: fieldsAt(answer, path), value }));
  for (const { fields, value } of [...removed, ...added]) {
    for (const field of fields) setField(field, value);
  }
  return JSON.stringify(answer, withoutEmptyPlaces);
}

/** Gaps in a list are closed at the end: until then each element keeps its index. */
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
