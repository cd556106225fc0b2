import { addressOf } from '../sentences/words.js';

/** The beginning of our id, as a link to its page; a dash without one. */
export function SubjectLink({ id }: { id: string | null }) {
  return id === null ? <>–</> : <a href={addressOf(id)}>{`${id.slice(0, 14)}…`}</a>;
}
