import { Failure } from '#tools/failure.js';

/** A change of the workflow code that a release makes: open runs and new ones record one more command from then on. */
export interface GeneratedPatch {
  /** Also the name of what it writes into the memo of a run. */
  readonly id: string;
  /** Where it stands in the code. */
  readonly place: PatchPlace;
}

/** In the loop of every run, each under what is passed again and again, or once. */
const places = {
  'when a run begins': 'if (!this.continued) await this.carryOutEffects(this.parts.firstEffect);',
  'before each wait': 'const taken = await this.intake.next(',
  'with each event': 'this.position.beginEvent();',
} as const;

export type PatchPlace = keyof typeof places;
export const patchPlaces = Object.keys(places) as readonly PatchPlace[];

/**
 * The code of a release with these patches. Each records a command once in a run, which a replay without it would miss.
 *
 * @param isGuarded false: the same changes without `patched`, as nobody must release them.
 * @throws Failure when today's code has a place no more.
 */
export function bundleWith(code: string, patches: readonly GeneratedPatch[], isGuarded = true): string {
  return patches.reduce((changed, patch) => insert(changed, patch, isGuarded), code);
}

function insert(code: string, { id, place }: GeneratedPatch, isGuarded: boolean): string {
  const anchor = places[place];
  const parts = code.split(anchor);
  const [before, after] = parts;
  if (parts.length !== 2 || before === undefined || after === undefined)
    throw new Failure(`The workflow code has not exactly one place for a patch ${place}: ${anchor}`);
  const workflow = '_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__';
  const done = `this[${JSON.stringify(id)}]`;
  const guard = isGuarded ? ` && (0,${workflow}.patched)(${JSON.stringify(id)})` : '';
  const command = `(0,${workflow}.upsertMemo)({ ${JSON.stringify(id)}: true });`;
  return `${before}if (!${done}${guard}) { ${done} = true; ${command} }\n${anchor}${after}`;
}
