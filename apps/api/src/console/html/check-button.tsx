import type { Visit } from './layout.js';

/** Asks the provider about a subject at once. It orders nothing, so it needs no form. */
export function CheckButton({ address, visit }: { address: string; visit: Visit }) {
  return (
    <form method="post" action={`${address}/check`}>
      <input type="hidden" name="_csrf" value={visit.csrfToken} />
      <button type="submit">Check now</button>
    </form>
  );
}
