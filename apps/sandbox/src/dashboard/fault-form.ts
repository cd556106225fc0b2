import { html, type Html } from '../pages/html.js';
import type { FormField } from './fault-fields.js';
import { option } from './filter-form.js';

type Texts = Readonly<Record<string, string>>;
/** By the name of the field. */
export type Issues = ReadonlyMap<string, string>;

/** The second step: the kind is chosen, so only its fields are shown. */
export function faultForm(
  kind: string,
  { ofKind, ofTarget }: { ofKind: readonly FormField[]; ofTarget: readonly FormField[] },
  texts: Texts,
  issues: Issues,
): Html {
  const draw = (field: FormField) =>
    fieldWith(field, texts[field.name] ?? field.byDefault, issues.get(field.name));
  return html`<form method="post" action="/dashboard/faults">
    <input type="hidden" name="kind" value="${kind}" />
    <fieldset>
      <legend>What it does</legend>
      ${ofKind.length === 0 ? html`<p class="muted">No settings.</p>` : ofKind.map(draw)}
    </fieldset>
    <fieldset>
      <legend>What it affects</legend>
      ${ofTarget.map(draw)}
    </fieldset>
    <button class="primary" type="submit">Switch on</button>
    <a href="/dashboard/faults">Back</a>
  </form>`;
}

function fieldWith(field: FormField, value: string, issue: string | undefined): Html {
  const id = `fault-${field.name}`;
  const hint = [field.isRequired ? 'required' : '', field.hint].filter((part) => part !== '').join(', ');
  return html`<div class="field">
    <label for="${id}">${field.label}</label>
    ${control(field, id, value, describedBy(id, hint, issue), issue !== undefined)}
    ${hint === '' ? '' : html`<small id="${id}-hint">${hint}</small>`}
    ${issue === undefined ? '' : html`<span class="issue" id="${id}-issue">${issue}</span>`}
  </div>`;
}

function control(field: FormField, id: string, value: string, described: Html, isWrong: boolean): Html {
  const shared = html`id="${id}" name="${field.name}" ${described} ${isWrong ? html`aria-invalid="true"` : ''}
  ${field.isRequired ? html`required` : ''}`;
  switch (field.type) {
    case 'choice':
      return html`<select ${shared}>
        ${field.choices.map((choice) => option(choice, choice === '' ? 'any' : choice, choice === value))}
      </select>`;
    case 'lines':
    case 'json':
      return html`<textarea rows="3" ${shared}>${value}</textarea>`;
    case 'integer':
    case 'decimal':
      return html`<input
        type="number"
        value="${value}"
        step="${field.type === 'integer' ? '1' : 'any'}"
        ${limit('min', field.minimum)}
        ${limit('max', field.maximum)}
        ${shared}
      />`;
    case 'text':
      return html`<input value="${value}" autocomplete="off" list="${id}-list" ${shared} />
        <datalist id="${id}-list">
          ${field.choices.map((choice) => html`<option value="${choice}"></option>`)}
        </datalist>`;
  }
}

function describedBy(id: string, hint: string, issue: string | undefined): Html {
  const parts = [hint === '' ? '' : `${id}-hint`, issue === undefined ? '' : `${id}-issue`];
  const ids = parts.filter((part) => part !== '');
  return ids.length === 0 ? html`` : html`aria-describedby="${ids.join(' ')}"`;
}

function limit(name: 'min' | 'max', value: number | undefined): Html {
  return value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER
    ? html``
    : html`${name}="${String(value)}"`;
}
