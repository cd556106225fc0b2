import type { Child } from 'hono/jsx';
import type { DriftRow } from '#database/schema';
import { mayAs } from '../../injected/console-user.js';
import type { ConsoleAction } from '../actions/action.js';
import { ActionList } from '../html/action-list.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Badge, Facts, Instant, Notice, Table } from '../html/parts.js';
import { toneOf } from '../sentences/payment.js';
import { addressOf, spaced } from '../sentences/words.js';
import { HistoryList } from '../history/history-list.js';
import type { HistoryEntry } from '../history/history-entry.js';
import type { AnySubject } from '../subjects/console-subjects.js';
import type { SubjectView } from '../subjects/subject-view.js';

export interface SubjectPage {
  readonly visit: Visit;
  readonly subject: AnySubject;
  readonly view: SubjectView;
  readonly history: readonly HistoryEntry[];
  readonly drift: readonly DriftRow[];
  readonly actions: readonly ConsoleAction[];
  readonly temporalUrl: string | null;
  readonly done: string | undefined;
  /** Tables of this kind of subject. */
  readonly tables: Child;
}

const notices: Readonly<Record<string, string>> = {
  asked: 'It was asked for. The history says what has come of it.',
  checked: 'The provider has been asked.',
  checking: 'The provider is being asked.',
};

/** Why a subject is where it is: its state in a sentence, what can be done, and everything that happened. */
export function subjectPage(page: SubjectPage): string {
  const { visit, subject, view, history, done, tables } = page;
  const notice = notices[done ?? ''];
  return renderPage({
    title: view.title,
    visit,
    live: 5,
    children: (
      <>
        {notice !== undefined && <Notice tone="good">{notice}</Notice>}
        <p class="lead">
          <Badge tone={toneOf(subject.row.status)}>{spaced(subject.row.status)}</Badge> {view.sentence}
        </p>
        {mayAs(visit.operator, 'operator') && <Actions {...page} />}
        <div class="columns">
          <section aria-labelledby="history">
            <h2 id="history">What happened</h2>
            <HistoryList entries={[...history, ...view.toCome].sort((left, right) => left.at - right.at)} />
          </section>
          <div>
            <Particulars {...page} />
            {tables}
            <Drift drift={page.drift} />
          </div>
        </div>
      </>
    ),
  });
}

function Actions({ visit, subject, actions }: SubjectPage) {
  const address = addressOf(subject.row.id);
  return <ActionList address={address} actions={actions} visit={visit} hasCheck called="Actions" />;
}

function Particulars({ subject: { row }, view, temporalUrl }: SubjectPage) {
  const { reason, contradiction } = row.state as {
    readonly reason?: string;
    readonly contradiction?: string;
  };
  return (
    <section aria-labelledby="particulars">
      <h2 id="particulars">Particulars</h2>
      <Facts
        facts={[
          ...view.amounts,
          reason === undefined ? undefined : { name: 'Why', value: reason },
          contradiction === undefined ? undefined : { name: 'Contradiction', value: contradiction },
          { name: 'Our id', value: <code>{row.id}</code> },
          { name: 'Application', value: `${row.environment}/${row.application}` },
          { name: 'Ordered', value: <Instant at={row.created_at} /> },
          { name: 'Changed', value: <Instant at={row.updated_at} /> },
          temporalUrl === null
            ? undefined
            : { name: 'Run', value: <a href={temporalUrl}>in Temporal’s UI</a> },
          { name: 'Calls', value: <a href={`/console/calls?subject=${row.id}`}>to the provider</a> },
        ]}
      />
    </section>
  );
}

function Drift({ drift }: { drift: readonly DriftRow[] }) {
  if (drift.length === 0) return null;
  return (
    <section aria-labelledby="drift">
      <h2 id="drift">Differences from the provider</h2>
      <Table
        caption="Nothing corrects them by itself."
        none=""
        rows={drift}
        columns={[
          { name: 'Field', cell: ({ field }) => field },
          { name: 'Ours', cell: ({ ours }) => ours },
          { name: 'Theirs', cell: ({ theirs }) => theirs },
          { name: 'Until', cell: ({ resolved_at: at }) => (at ? <Instant at={at} /> : 'still open') },
        ]}
      />
    </section>
  );
}
