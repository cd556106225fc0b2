import type { z } from 'zod';
import { DAY } from '../calls/call-filters.js';
import { html, type Html } from '../pages/html.js';
import type { Notice } from './layout.js';

export interface FilterField {
  name: string;
  label: string;
  hint?: string;
  type?: 'text' | 'date' | 'select';
  /** All options of a select, with their labels; suggestions for a text. */
  choices?: readonly (readonly [value: string, text: string])[];
  isLong?: true;
}

export const ENVIRONMENT_FIELD: FilterField = {
  name: 'environment',
  label: 'Environment',
  type: 'select',
  choices: [
    ['', 'Both'],
    ['sandbox', 'sandbox'],
    ['live', 'live'],
  ],
};

export const PERIOD_FIELDS: readonly FilterField[] = [
  { name: 'from', label: 'From (UTC)', type: 'date' },
  { name: 'to', label: 'To (UTC)', type: 'date' },
];

/** The texts of a query by name; the first one of a repeated name. */
export function textsOf(query: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string') texts[name] = first;
  }
  return texts;
}

export interface ReadFilters<Values> {
  /** Undefined when something in the form is wrong. */
  values: Values | undefined;
  notice: Notice | undefined;
  /** Names of the fields that are wrong. */
  wrong: ReadonlySet<string>;
}

export function readFilters<Schema extends z.ZodType>(
  schema: Schema,
  texts: Readonly<Record<string, string>>,
  fields: readonly FilterField[],
): ReadFilters<z.output<Schema>> {
  const result = schema.safeParse(texts);
  if (result.success) return { values: result.data, notice: undefined, wrong: new Set() };
  const points = result.error.issues.map(({ path, message }) => {
    const name = String(path[0] ?? '');
    return `${fields.find((field) => field.name === name)?.label ?? name}: ${message}`;
  });
  const wrong = new Set(result.error.issues.map(({ path }) => String(path[0] ?? '')));
  return { values: undefined, notice: { tone: 'bad', text: 'Nothing was searched.', points }, wrong };
}

/** A plain GET form: its values are in the address, so that it can be kept and shared. */
export function filterForm(
  path: string,
  fields: readonly FilterField[],
  texts: Readonly<Record<string, string>>,
  wrong: ReadonlySet<string>,
): Html {
  return html`<search>
    <form class="filters" method="get" action="${path}">
      ${fields.map((field) => filterField(field, texts[field.name] ?? '', wrong.has(field.name)))}
      <button class="primary" type="submit">Filter</button>
      <a href="${path}">Clear</a>
    </form>
  </search>`;
}

function filterField(field: FilterField, value: string, isWrong: boolean): Html {
  const id = `filter-${field.name}`;
  const hintId = `${id}-hint`;
  const described = field.hint === undefined ? '' : html` aria-describedby="${hintId}"`;
  const invalid = isWrong ? html` aria-invalid="true"` : '';
  return html`<div class="${field.isLong === true ? 'field long' : 'field'}">
    <label for="${id}">${field.label}</label>
    ${
      field.type === 'select'
        ? html`<select id="${id}" name="${field.name}" ${described}${invalid}>
            ${(field.choices ?? []).map(([choice, text]) => option(choice, text, choice === value))}
          </select>`
        : html`<input
              id="${id}"
              name="${field.name}"
              type="${inputType(field, value)}"
              value="${value}"
              ${field.choices === undefined ? '' : html`list="${id}-list"`}
              autocomplete="off"
              ${described}${invalid}
            />
            ${field.choices === undefined ? '' : offered(`${id}-list`, field.choices)}`
    }
    ${field.hint === undefined ? '' : html`<small id="${hintId}">${field.hint}</small>`}
  </div>`;
}

/** The browser's field for days would not show an instant, and the next search would lose it. */
function inputType({ type = 'text' }: FilterField, value: string): string {
  return type === 'date' && value !== '' && !DAY.test(value) ? 'text' : type;
}

export function option(value: string, text: string, isSelected: boolean): Html {
  return isSelected
    ? html`<option value="${value}" selected>${text}</option>`
    : html`<option value="${value}">${text}</option>`;
}

function offered(id: string, choices: NonNullable<FilterField['choices']>): Html {
  return html`<datalist id="${id}">
    ${choices.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
  </datalist>`;
}
