import type { Visit } from './layout.js';

interface ActionListProps {
  /** The page of the subject. */
  readonly address: string;
  /** Each has a form of its own. */
  readonly actions: readonly { readonly name: string; readonly label: string }[];
  readonly visit: Visit;
  /** Whether the provider can be asked about it at once. */
  readonly hasCheck: boolean;
  /** What the list is called where nothing beside it says so. */
  readonly called?: string;
}

/** What an operator can do with a subject. */
export function ActionList({ address, actions, visit, hasCheck, called }: ActionListProps) {
  return (
    <ul class="actions" aria-label={called}>
      {hasCheck && (
        <li>
          <CheckButton address={address} visit={visit} />
        </li>
      )}
      {actions.map(({ name, label }) => (
        <li>
          <a href={`${address}/${name}`}>{label}</a>
        </li>
      ))}
    </ul>
  );
}

/** Asks the provider about a subject at once. It orders nothing, so it needs no form. */
function CheckButton({ address, visit }: { address: string; visit: Visit }) {
  return (
    <form method="post" action={`${address}/check`}>
      <input type="hidden" name="_csrf" value={visit.csrfToken} />
      <button type="submit">Check now</button>
    </form>
  );
}
