import type { Child } from 'hono/jsx';
import {
  CheckField,
  ChoiceField,
  type Entered,
  Hidden,
  type Issues,
  SelectField,
  TextField,
} from '../html/form.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Facts, Notice } from '../html/parts.js';
import { HistoryList } from '../history/history-list.js';
import type { HistoryEntry } from '../history/history-entry.js';
import type { ActionField, ActionForm } from './action.js';

interface ActionPage {
  readonly visit: Visit;
  /** Of the page that the action is of. */
  readonly address: string;
  /** The subject, and its state in a sentence. */
  readonly title: string;
  readonly sentence: string;
  readonly action: ActionForm;
  readonly entered: Entered;
  readonly mark: string;
}

/** Asks for what an action needs. A form that was wrong comes back as it was, with the error at its field. */
export function actionForm({
  issues,
  problem,
  suggestions,
  ...page
}: ActionPage & {
  readonly issues: Issues;
  readonly problem?: string | undefined;
  /** Ids that webhook events have named. */
  readonly suggestions: readonly string[];
}): string {
  const { action, entered, address, mark } = page;
  return aroundAction(
    page,
    <>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {Object.keys(issues).length > 0 && <Notice tone="bad">Something in the form is not right.</Notice>}
      {action.introduction !== undefined && <p>{action.introduction}</p>}
      {suggestions.length > 0 && (
        <p>Webhook events have named: {suggestions.map((suggestion) => [<code>{suggestion}</code>, ' '])}</p>
      )}
      <form class="stack" method="get" action={`${address}/${action.name}/confirm`}>
        <Hidden values={{ seen: mark }} />
        {action.fields.map((field) => (
          <Field field={field} entered={entered} issues={issues} />
        ))}
        <TextField
          name="reason"
          label="Reason"
          hint="It is kept in the audit trail. No personal data, please."
          isLong
          isRequired
          entered={entered}
          issues={issues}
        />
        <button class="primary" type="submit">
          Continue
        </button>
      </form>
      <p>
        <a href={address}>Back, without doing anything</a>
      </p>
    </>,
  );
}

function Field({ field, entered, issues }: { field: ActionField; entered: Entered; issues: Issues }) {
  const { name, label, hint, options = [] } = field;
  const shared = { name, label, hint, entered, issues };
  switch (field.type) {
    case 'text':
      return <TextField {...shared} />;
    case 'check':
      return <CheckField {...shared} />;
    case 'time':
      return <TextField {...shared} type="datetime-local" />;
    case 'choice':
      return <ChoiceField {...shared} options={options} />;
    case 'select':
      return <SelectField {...shared} options={options} />;
  }
}

/** Says what an action will do, and asks once more. */
export function confirmation({
  effects,
  changes,
  selection,
  ...page
}: ActionPage & {
  readonly effects: readonly string[];
  /** What has happened since the form was made. */
  readonly changes?: readonly HistoryEntry[] | undefined;
  /** What the action is about, where that is several: as the form keeps it, and as it is shown. */
  readonly selection?:
    | {
        readonly values: Readonly<Record<string, string>>;
        readonly isEmpty: boolean;
        readonly list: Child;
      }
    | undefined;
}): string {
  const { action, entered, address, mark, visit } = page;
  const again = new URLSearchParams(entered).toString();
  return aroundAction(
    page,
    <>
      {changes && <Changes entries={changes} />}
      <h2>What it will do</h2>
      <ul>
        {effects.map((effect) => (
          <li>{effect}</li>
        ))}
      </ul>
      <Facts facts={[{ name: 'Reason', value: entered['reason'] ?? '' }]} />
      {selection?.isEmpty !== true && (
        <form class="stack" method="post" action={`${address}/${action.name}`}>
          <Hidden values={{ ...entered, ...selection?.values, seen: mark, _csrf: visit.csrfToken }} />
          <button class="primary" type="submit">
            {`${action.label} now`}
          </button>
        </form>
      )}
      <p>
        <a href={`${address}/${action.name}?${again}`}>Change it</a>{' '}
        <a href={address}>Back, without doing anything</a>
      </p>
      {selection?.list}
    </>,
  );
}

/** For an action that the state does not allow any more. */
export function notPossible({
  visit,
  address,
  title,
  sentence,
  changes,
}: Omit<ActionPage, 'action' | 'entered' | 'mark'> & { readonly changes: readonly HistoryEntry[] }): string {
  return renderPage({
    title,
    visit,
    children: (
      <>
        <p class="lead">{sentence}</p>
        <Changes entries={changes} />
        <Notice tone="caution">The state does not allow this action any more. Nothing was done.</Notice>
        <p>
          <a href={address}>Back</a>
        </p>
      </>
    ),
  });
}

function Changes({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <>
      <Notice tone="caution">Something has changed since the form was made. Nothing was done yet.</Notice>
      <h2>What has changed</h2>
      <HistoryList entries={entries} />
    </>
  );
}

function aroundAction({ visit, title, sentence, action }: ActionPage, children: Child): string {
  return renderPage({
    title: `${action.label}: ${title}`,
    visit,
    children: (
      <>
        <p class="lead">{sentence}</p>
        {children}
      </>
    ),
  });
}
