import { z } from 'zod';
import { EVENT_TYPE_NAMES } from '../events/event-types.js';
import { faultKind, isDeliveryFault, type FaultKind } from '../faults/fault-kinds.js';
import { operationsWithin } from '../faults/fault-reach.js';
import { readJson } from '../http/json-body.js';
import type { Choice } from './choices.js';

export interface FormField {
  name: string;
  label: string;
  hint: string;
  type: 'integer' | 'decimal' | 'choice' | 'text' | 'lines' | 'json';
  isRequired: boolean;
  /** The default of the service. */
  byDefault: string;
  /** All options of a choice. */
  choices: readonly Choice[];
  minimum?: number | undefined;
  maximum?: number | undefined;
}

const ANY: Choice = ['', 'any'];

function asChoice(value: string): Choice {
  return [value, value];
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

/** Every kind with its fields, read from its schema, so that the form omits none. */
export const FAULT_KINDS: ReadonlyMap<string, readonly FormField[]> = new Map(
  faultKind.options.map((option) => [option.shape.kind.value, fieldsOf(option)]),
);

export function isFaultKind(kind: string): kind is FaultKind['kind'] {
  return FAULT_KINDS.has(kind);
}

/** The calls or deliveries that a fault of this kind may affect. */
export function targetFieldsOf(kind: FaultKind['kind'], applications: readonly Choice[]): FormField[] {
  const optional = { isRequired: false, choices: [] };
  const isOfDeliveries = isDeliveryFault({ kind });
  const where = isOfDeliveries
    ? {
        name: 'eventType',
        label: 'Event type',
        choices: [ANY, ...EVENT_TYPE_NAMES.map(asChoice)],
        byDefault: '',
      }
    : {
        name: 'operation',
        label: 'Operation',
        choices: ['*', ...operationsWithin({ kind })].map(asChoice),
        byDefault: '*',
      };
  const number = { ...optional, type: 'integer', minimum: 1 } as const;
  return [
    {
      name: 'clientId',
      label: 'Application',
      hint: '',
      type: 'choice',
      isRequired: false,
      byDefault: '',
      choices: [ANY, ...applications],
    },
    {
      ...optional,
      name: 'paymentId',
      label: 'Payment',
      hint: isOfDeliveries
        ? 'its id: only deliveries of its events; empty: any'
        : 'its id: only calls that name it or a part of it; empty: any',
      type: 'text',
      byDefault: '',
    },
    {
      ...where,
      hint: isOfDeliveries ? '' : '*: any that it makes a difference to',
      type: 'choice',
      isRequired: false,
    },
    { ...number, name: 'nth', label: 'First match that it affects', hint: '', byDefault: '1' },
    { ...number, name: 'times', label: 'How often it takes effect', hint: 'empty: always', byDefault: '1' },
    {
      ...optional,
      name: 'probability',
      label: 'Probability',
      hint: '0 to 1',
      type: 'decimal',
      byDefault: '1',
      minimum: 0,
      maximum: 1,
    },
    { ...number, name: 'seed', label: 'Seed of the draw', hint: '', byDefault: '1', minimum: undefined },
  ];
}

function fieldsOf(option: z.ZodType): FormField[] {
  const { properties, required } = objectSchema.parse(z.toJSONSchema(option, { io: 'input' }));
  return Object.entries(properties)
    .filter(([name]) => name !== 'kind')
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const byDefault = writeDefault(schema.default);
      const canBeOpen = !isRequired && byDefault === '';
      return {
        name,
        label: name,
        hint: hintOf(schema),
        type: typeOf(schema),
        isRequired,
        byDefault,
        choices: [
          ...(schema.enum !== undefined && canBeOpen ? [ANY] : []),
          ...(schema.enum ?? []).map(asChoice),
        ],
        minimum: schema.minimum,
        maximum: schema.maximum,
      };
    });
}

type FieldSchema = z.output<typeof jsonSchema>;

function typeOf({ type, enum: choices }: FieldSchema): FormField['type'] {
  if (choices !== undefined) return 'choice';
  if (type === 'integer') return 'integer';
  if (type === 'array') return 'lines';
  return type === 'object' ? 'json' : 'text';
}

function hintOf({ type, minimum, maximum }: FieldSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (type === 'array') return 'one path a line';
  return type === 'object' ? 'JSON: a value by path' : '';
}

function writeDefault(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  return text === '[]' || text === '{}' ? '' : text;
}

const TARGET_NUMBERS = new Set(['nth', 'probability', 'seed']);

/**
 * The texts of a form as the admin API's request for a fault; an empty one is omitted, which for `times` means always.
 */
export function faultRequestOf(texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = FAULT_KINDS.get(texts['kind'] ?? '') ?? [];
  const request: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(texts)) {
    if (name === 'form') continue;
    const type = fields.find((field) => field.name === name)?.type;
    if (name === 'times') request[name] = text === '' ? null : Number(text);
    else if (text !== '') request[name] = valueOf(TARGET_NUMBERS.has(name) ? 'integer' : type, text);
  }
  return request;
}

/** A value that cannot be read stays a text: the schema then says what is wrong with it. */
function valueOf(type: FormField['type'] | undefined, text: string): unknown {
  if (type === 'integer') return Number(text);
  if (type === 'lines')
    return text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  if (type !== 'json') return text;
  try {
    return readJson(Buffer.from(text));
  } catch {
    return text;
  }
}
