import type { Problem, FieldProblem } from '../../problems/problem.js';
import { cardNumbersIn } from '../../requests/card-number-fields.js';
import { cardNumber } from '../../requests/request-validation.pipe.js';
import { text } from '../../wire/fields.js';
import type { Entered, Issues } from '../html/form.js';
import type { ActionForm, Read } from './action.js';

const reason = text(1_000);

/** Reads a form: its own fields, the reason, and that nothing holds a card number. */
export async function readEntered<Asked>(
  action: { read(given: Entered): Read<Asked> },
  entered: Entered,
): Promise<Read<Asked>> {
  const { success, error } = reason.safeParse(entered['reason'] ?? '');
  const ofReason = success ? {} : { reason: error.issues[0]?.message ?? 'is required' };
  const withCards = await cardNumbersIn(entered);
  const ofCards = Object.fromEntries(withCards.map((path) => [path[0] ?? '', cardNumber]));
  const read = action.read(entered);
  const issues = { ...('issues' in read && read.issues), ...ofReason, ...ofCards };
  return Object.keys(issues).length > 0 ? { issues } : read;
}

/** Only what the form asks for: an address may hold anything. */
export function askedFor({ fields }: ActionForm, entered: Entered): Entered {
  const names = [...fields.map(({ name }) => name), 'reason'];
  return Object.fromEntries(names.flatMap((name) => (entered[name] ? [[name, entered[name]]] : [])));
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
