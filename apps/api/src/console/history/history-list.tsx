import { Instant } from '../html/parts.js';
import type { HistoryEntry } from './history-entry.js';

/** What happened, and what is to come, the latest first. */
export function HistoryList({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <ol class="history">
      {entries.toReversed().map(({ at, actor, text, note, mark, href }) => (
        <li {...(mark !== undefined && { class: mark === 'to-come' ? 'to-come' : `${mark}-mark` })}>
          <span class="when">
            <Instant at={at} />
            {mark === 'to-come' && ' (to come)'}
          </span>
          <p>
            <strong>{actor}</strong>
            {': '}
            {href === undefined ? text : <a href={href}>{text}</a>}
          </p>
          {note !== undefined && <p class="muted">{note}</p>}
        </li>
      ))}
    </ol>
  );
}
