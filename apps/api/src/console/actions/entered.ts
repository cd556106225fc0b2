import type { Problem, FieldProblem } from '../../problems/problem.js';
import { cardNumbersIn } from '../../requests/card-number-fields.js';
import { cardNumber } from '../../requests/request-validation.pipe.js';
import { text } from '../../wire/fields.js';
import type { Entered, Issues } from '../html/form.js';
import type { ConsoleAction, ReadAction } from './action.js';

const reason = text(1_000);

/** Reads a form: its own fields, the reason, and that nothing holds a card number. */
export async function readEntered(action: ConsoleAction, entered: Entered): Promise<ReadAction> {
  const { success, error } = reason.safeParse(entered['reason'] ?? '');
  const ofReason = success ? {} : { reason: error.issues[0]?.message ?? 'is required' };
  const withCards = await cardNumbersIn(entered);
  const ofCards = Object.fromEntries(withCards.map((path) => [path[0] ?? '', cardNumber]));
  const read = action.read(entered);
  const issues = { ...('issues' in read && read.issues), ...ofReason, ...ofCards };
  return Object.keys(issues).length > 0 ? { issues } : read;
}

/** What a problem says of fields, by their names in forms. */
export function issuesIn(problem: Problem): Issues {
  const { errors = [] } = problem.document() as { readonly errors?: readonly FieldProblem[] };
  return Object.fromEntries(
    errors.flatMap(({ pointer, detail }) => {
      const [, name] = pointer?.split('/') ?? [];
      return name === undefined ? [] : [[name === 'evidence' ? 'resourceId' : name, detail]];
    }),
  );
}
