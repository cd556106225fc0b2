import { EVENT_TYPE_NAMES } from '../events/event-types.js';
import { CLOCK_OPERATIONS, OPERATION_NAMES } from '../http/operations.js';
import { html, type Html } from '../pages/html.js';
import type { KindField } from './fault-fields.js';
import { option } from './filter-form.js';

type Texts = Readonly<Record<string, string>>;
/** By the name of the field. */
export type Issues = ReadonlyMap<string, string>;

const OPERATIONS = ['*', ...OPERATION_NAMES, ...CLOCK_OPERATIONS];

/** The second step: the kind is chosen, so only its fields are asked for. */
export function faultForm(
  kind: string,
  fields: readonly KindField[],
  applications: readonly (readonly [string, string])[],
  texts: Texts,
  issues: Issues,
): Html {
  const input = (name: string, byDefault: string, more: Html) =>
    html`<input
      id="fault-${name}"
      name="${name}"
      value="${texts[name] ?? byDefault}"
      autocomplete="off"
      ${described(name, issues)}
      ${more}
    />`;
  return html`<form method="post" action="/dashboard/faults">
    <input type="hidden" name="kind" value="${kind}" />
    <fieldset>
      <legend>What it does</legend>
      ${fields.length === 0 ? html`<p class="muted">There is nothing to set.</p>` : ''}
      ${fields.map((field) => labelled(field.name, labelOf(field), issues, kindInput(field, texts, issues)))}
    </fieldset>
    <fieldset>
      <legend>What it strikes</legend>
      ${labelled(
        'clientId',
        'Application (empty: any)',
        issues,
        html`${input('clientId', '', html`list="fault-applications"`)}
          <datalist id="fault-applications">
            ${applications.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
          </datalist>`,
      )}
      ${labelled('operation', 'Operation (*: any that it can strike)', issues, select('operation', OPERATIONS, texts['operation'] ?? '*', issues))}
      ${labelled('eventType', 'Event type (faults of deliveries only; empty: any)', issues, select('eventType', ['', ...EVENT_TYPE_NAMES], texts['eventType'] ?? '', issues))}
      ${labelled('nth', 'First match that it strikes', issues, input('nth', '1', html`type="number" min="1"`))}
      ${labelled('times', 'How often it strikes (empty: always)', issues, input('times', '1', html`type="number" min="1"`))}
      ${labelled('probability', 'Probability (0 to 1)', issues, input('probability', '1', html`type="number" min="0" max="1" step="any"`))}
      ${labelled('seed', 'Seed of the draw', issues, input('seed', '1', html`type="number"`))}
    </fieldset>
    <button class="primary" type="submit">Switch on</button>
    <a href="/dashboard/faults">Back</a>
  </form>`;
}

function kindInput(field: KindField, texts: Texts, issues: Issues): Html {
  const { name, type, byDefault } = field;
  const value = texts[name] ?? byDefault;
  if (type === 'choice')
    return select(
      name,
      field.isRequired || byDefault !== '' ? field.choices : ['', ...field.choices],
      value,
      issues,
    );
  if (type === 'lines' || type === 'json')
    return html`<textarea id="fault-${name}" name="${name}" rows="3" ${described(name, issues)}>
${value}</textarea>`;
  return html`<input
    id="fault-${name}"
    name="${name}"
    value="${value}"
    autocomplete="off"
    type="${type === 'integer' ? 'number' : 'text'}"
    ${field.minimum === undefined ? '' : html`min="${String(field.minimum)}"`}
    ${field.maximum === undefined ? '' : html`max="${String(field.maximum)}"`}
    ${field.isRequired ? html`required` : ''}
    ${described(name, issues)}
  />`;
}

function labelOf({ name, type, isRequired, minimum, maximum }: KindField): string {
  const range = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`;
  const form = { integer: range, choice: '', text: '', lines: 'one path a line', json: 'JSON' }[type];
  return `${name} (${[form, isRequired ? 'required' : 'optional'].filter((part) => part !== '').join(', ')})`;
}

function labelled(name: string, label: string, issues: Issues, control: Html): Html {
  const issue = issues.get(name);
  return html`<div class="field">
    <label for="fault-${name}">${label}</label>
    ${control}
    ${issue === undefined ? '' : html`<span class="issue" id="fault-${name}-issue">${issue}</span>`}
  </div>`;
}

function select(name: string, choices: readonly string[], value: string, issues: Issues): Html {
  return html`<select id="fault-${name}" name="${name}" ${described(name, issues)}>
    ${choices.map((choice) => option(choice, choice, choice === value))}
  </select>`;
}

function described(name: string, issues: Issues): Html {
  return issues.has(name) ? html`aria-invalid="true" aria-describedby="fault-${name}-issue"` : html``;
}
