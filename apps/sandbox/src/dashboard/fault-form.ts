import { html, type Html } from '../pages/html.js';
import { options } from './choices.js';
import type { FormField } from './fault-fields.js';
import { describedBy, issueAt } from './filter-form.js';

type Texts = Readonly<Record<string, string>>;
/** By the name of the field. */
export type Issues = ReadonlyMap<string, string>;

/**
 * The second step: the kind is chosen, so only its fields are shown.
 * @param form names this form: sent twice, it acts once.
 */
export function faultForm(
  { kind, form }: { kind: string; form: string },
  { ofKind, ofTarget }: { ofKind: readonly FormField[]; ofTarget: readonly FormField[] },
  texts: Texts,
  issues: Issues,
): Html {
  const draw = (field: FormField) =>
    fieldWith(field, texts[field.name] ?? field.byDefault, issues.get(field.name));
  return html`<form method="post" action="/dashboard/faults">
    <input type="hidden" name="kind" value="${kind}" />
    <input type="hidden" name="form" value="${form}" />
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
    ${control(field, id, value, describedBy(id, hint, issue))}
    ${hint === '' ? '' : html`<small id="${id}-hint">${hint}</small>`} ${issueAt(id, issue)}
  </div>`;
}

function control(field: FormField, id: string, value: string, described: Html): Html {
  const shared = html`id="${id}" name="${field.name}" ${described} ${field.isRequired ? html`required` : ''}`;
  switch (field.type) {
    case 'choice':
      return html`<select ${shared}>
        ${options(field.choices, value)}
      </select>`;
    case 'lines':
    case 'json':
      return html`<textarea rows="3" ${shared}>${value}</textarea>`;
    case 'integer':
    case 'decimal':
      return html`<input
        type="${isNumber(value) ? 'number' : 'text'}"
        value="${value}"
        step="${field.type === 'integer' ? '1' : 'any'}"
        ${limit('min', field.minimum)}
        ${limit('max', field.maximum)}
        ${shared}
      />`;
    case 'text':
      return html`<input value="${value}" autocomplete="off" ${shared} />`;
  }
}

/** The browser's field for numbers would show nothing else, and what was typed would be lost. */
function isNumber(value: string): boolean {
  return value === '' || /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value);
}

function limit(name: 'min' | 'max', value: number | undefined): Html {
  return value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER
    ? html``
    : html`${name}="${String(value)}"`;
}
