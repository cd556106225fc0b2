import type { Child } from 'hono/jsx';

/** What is wrong with a form, by the name of its field. */
export type Issues = Readonly<Record<string, string>>;
/** What somebody has entered. */
export type Entered = Readonly<Record<string, string>>;

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly entered: Entered;
  readonly issues: Issues;
}

function described({ name, hint, issues }: FieldProps) {
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(issues[name] === undefined ? [] : [`${name}-issue`]),
  ];
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
    ...(issues[name] !== undefined && { 'aria-invalid': 'true' as const }),
  };
}

function Around(props: FieldProps & { readonly children?: Child }) {
  const { name, label, hint, issues } = props;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint !== undefined && <small id={`${name}-hint`}>{hint}</small>}
      {props.children}
      {issues[name] !== undefined && (
        <span class="issue" id={`${name}-issue`}>
          {issues[name]}
        </span>
      )}
    </div>
  );
}

export function TextField(
  props: FieldProps & {
    readonly isLong?: boolean;
    readonly isRequired?: boolean;
    readonly type?: 'text' | 'password' | 'date' | 'datetime-local';
    readonly autocomplete?: string;
  },
) {
  const { name, entered, isLong, isRequired, type = 'text', autocomplete = 'off' } = props;
  const shared = { id: name, name, required: isRequired ?? false, autocomplete, ...described(props) };
  return (
    <Around {...props}>
      {isLong ? (
        <textarea {...shared} rows={3} maxlength={1000}>
          {entered[name] ?? ''}
        </textarea>
      ) : (
        <input {...shared} type={type} value={type === 'password' ? '' : (entered[name] ?? '')} />
      )}
    </Around>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export function SelectField(props: FieldProps & { readonly options: readonly Option[] }) {
  const { name, entered, options } = props;
  return (
    <Around {...props}>
      <select id={name} name={name} {...described(props)}>
        {options.map(({ value, label }) => (
          <option value={value} selected={(entered[name] ?? '') === value}>
            {label}
          </option>
        ))}
      </select>
    </Around>
  );
}

export function ChoiceField(props: FieldProps & { readonly options: readonly Option[] }) {
  const { name, label, entered, options, hint, issues } = props;
  return (
    <fieldset {...described(props)}>
      <legend>{label}</legend>
      {hint !== undefined && <small id={`${name}-hint`}>{hint}</small>}
      {options.map((option) => (
        <label class="choice">
          <input type="radio" name={name} value={option.value} checked={entered[name] === option.value} />{' '}
          {option.label}
        </label>
      ))}
      {issues[name] !== undefined && (
        <span class="issue" id={`${name}-issue`}>
          {issues[name]}
        </span>
      )}
    </fieldset>
  );
}

export function CheckField(props: FieldProps) {
  const { name, label, entered, hint } = props;
  return (
    <div class="field">
      <label class="choice">
        <input
          type="checkbox"
          name={name}
          value="true"
          checked={entered[name] === 'true'}
          {...described(props)}
        />{' '}
        {label}
      </label>
      {hint !== undefined && <small id={`${name}-hint`}>{hint}</small>}
    </div>
  );
}

/** Fields that nobody sees: they keep what was entered before. */
export function Hidden({ values }: { values: Entered }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
