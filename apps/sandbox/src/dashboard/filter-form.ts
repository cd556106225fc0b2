import type { z } from 'zod';
import { DAY } from '../calls/call-filters.js';
import { html, type Html } from '../pages/html.js';
import { options, type Choice } from './choices.js';
import type { Notice } from './layout.js';

export interface FilterField {
  name: string;
  label: string;
  hint?: string;
  type?: 'text' | 'date' | 'select';
  /** All options of a select besides `any`; suggestions for a text. */
  choices?: readonly Choice[];
  /** What a select says when it narrows nothing. */
  any?: string;
  isLong?: true;
}

export const ENVIRONMENT_FIELD: FilterField = {
  name: 'environment',
  label: 'Environment',
  type: 'select',
  any: 'Both',
  choices: [
    ['sandbox', 'sandbox'],
    ['live', 'live'],
  ],
};

export const PERIOD_FIELDS: readonly FilterField[] = [
  { name: 'from', label: 'From (UTC)', type: 'date' },
  { name: 'to', label: 'To (UTC)', type: 'date' },
];

export function applicationField(choices: readonly Choice[]): FilterField {
  return { name: 'clientId', label: 'Application', type: 'select', choices };
}

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
  /** What is wrong, by the name of the field. */
  issues: ReadonlyMap<string, string>;
}

export function readFilters<Schema extends z.ZodType>(
  schema: Schema,
  texts: Readonly<Record<string, string>>,
  fields: readonly FilterField[],
): ReadFilters<z.output<Schema>> {
  const result = schema.safeParse(texts);
  if (result.success) return { values: result.data, notice: undefined, issues: new Map() };
  const issues = new Map(
    result.error.issues.map(({ path, message }) => [String(path[0] ?? ''), message] as const),
  );
  const points = [...issues].map(
    ([name, issue]) => `${fields.find((field) => field.name === name)?.label ?? name}: ${issue}`,
  );
  return { values: undefined, notice: { tone: 'bad', text: 'Nothing was searched.', points }, issues };
}

/** A plain GET form: its values are in the address, so that it can be kept and shared. */
export function filterForm(
  path: string,
  fields: readonly FilterField[],
  texts: Readonly<Record<string, string>>,
  issues: ReadonlyMap<string, string>,
): Html {
  return html`<search>
    <form class="filters" method="get" action="${path}">
      ${fields.map((field) => filterField(field, texts[field.name] ?? '', issues.get(field.name)))}
      <button class="primary" type="submit">Filter</button>
      <a href="${path}">Clear</a>
    </form>
  </search>`;
}

function filterField(field: FilterField, value: string, issue: string | undefined): Html {
  const id = `filter-${field.name}`;
  return html`<div class="${field.isLong === true ? 'field long' : 'field'}">
    <label for="${id}">${field.label}</label>
    ${control(field, id, value, describedBy(id, field.hint, issue))}
    ${field.hint === undefined ? '' : html`<small id="${id}-hint">${field.hint}</small>`}
    ${issueAt(id, issue)}
  </div>`;
}

function control(field: FilterField, id: string, value: string, described: Html): Html {
  const { choices, any = 'Any' } = field;
  if (field.type === 'select')
    return html`<select id="${id}" name="${field.name}" ${described}>
      ${options([['', any], ...(choices ?? [])], value)}
    </select>`;
  return html`<input
      id="${id}"
      name="${field.name}"
      type="${inputType(field, value)}"
      value="${value}"
      ${choices === undefined ? '' : html`list="${id}-list"`}
      autocomplete="off"
      ${described}
    />
    ${choices === undefined ? '' : offered(`${id}-list`, choices)}`;
}

/** The attributes by which a control is told with its hint, and as wrong. */
export function describedBy(id: string, hint: string | undefined, issue: string | undefined): Html {
  const parts = [hint ? `${id}-hint` : '', issue === undefined ? '' : `${id}-issue`];
  const ids = parts.filter((part) => part !== '');
  if (ids.length === 0) return html``;
  return html`aria-describedby="${ids.join(' ')}" ${issue === undefined ? '' : html`aria-invalid="true"`}`;
}

/** What is wrong, at its field. */
export function issueAt(id: string, issue: string | undefined): Html {
  return issue === undefined ? html`` : html`<span class="issue" id="${id}-issue">${issue}</span>`;
}

/** The browser's field for days would not show an instant, and the next search would lose it. */
function inputType({ type = 'text' }: FilterField, value: string): string {
  return type === 'date' && value !== '' && !DAY.test(value) ? 'text' : type;
}

function offered(id: string, choices: readonly Choice[]): Html {
  return html`<datalist id="${id}">
    ${choices.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
  </datalist>`;
}
