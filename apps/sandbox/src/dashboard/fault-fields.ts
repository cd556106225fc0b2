import { z } from 'zod';
import { faultKind } from '../faults/fault-kinds.js';

/** A field of a kind of fault, as its schema describes it: the form follows the schema, so that none is forgotten. */
export interface KindField {
  name: string;
  type: 'integer' | 'choice' | 'text' | 'lines' | 'json';
  isRequired: boolean;
  /** What the service takes where nothing is given. */
  byDefault: string;
  choices: readonly string[];
  minimum: number | undefined;
  maximum: number | undefined;
}

const jsonSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

const objectSchema = z.looseObject({
  properties: z.record(z.string(), jsonSchema),
  required: z.array(z.string()).default([]),
});

export const FAULT_KINDS: ReadonlyMap<string, readonly KindField[]> = new Map(
  faultKind.options.map((option) => [option.shape.kind.value, fieldsOf(option)]),
);

function fieldsOf(option: z.ZodType): KindField[] {
  const { properties, required } = objectSchema.parse(z.toJSONSchema(option, { io: 'input' }));
  return Object.entries(properties)
    .filter(([name]) => name !== 'kind')
    .map(([name, schema]) => ({
      name,
      type: typeOf(schema),
      isRequired: required.includes(name),
      byDefault: writeDefault(schema.default),
      choices: schema.enum ?? [],
      minimum: schema.minimum,
      maximum: schema.maximum,
    }));
}

function typeOf({ type, enum: choices }: z.output<typeof jsonSchema>): KindField['type'] {
  if (choices !== undefined) return 'choice';
  if (type === 'integer') return 'integer';
  if (type === 'array') return 'lines';
  return type === 'object' ? 'json' : 'text';
}

function writeDefault(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The fields of the target that are numbers in the request and texts in a form. */
const TARGET_NUMBERS = new Set(['nth', 'probability', 'seed']);

/** A form's texts as the admin API's request for a fault; an empty one is left out, for `times` it means always. */
export function faultRequestOf(texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = FAULT_KINDS.get(texts['kind'] ?? '') ?? [];
  const request: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(texts)) {
    const type = fields.find((field) => field.name === name)?.type;
    if (name === 'times') request[name] = text === '' ? null : Number(text);
    else if (text !== '') request[name] = valueOf(TARGET_NUMBERS.has(name) ? 'integer' : type, text);
  }
  return request;
}

/** What cannot be read stays the text that it is: the schema then says what is wrong with it. */
function valueOf(type: KindField['type'] | undefined, text: string): unknown {
  if (type === 'integer') return Number(text);
  if (type === 'lines')
    return text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  if (type !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
