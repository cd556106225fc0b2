/** A guard in the code of a workflow, between what its old runs do and what its new ones do. */
export interface Patch {
  readonly lifecycle: string;
  readonly id: string;
  /** Its histories are `<lifecycle>/before-<slug>` and `<lifecycle>/after-<slug>`. */
  readonly slug: string;
  /** Where its call stands in the bundle. */
  readonly call: readonly [start: number, end: number];
}

const guard = /\(0,\s*\w+\.patched\)\(['"]([^'"]+)['"]\)/g;
const moduleHead = /^\/\*{3}\/ "\.\/(libs\/[^"]+)"/gm;

/** @throws for a guard outside the workflow's own file: which lifecycle's runs it divides could not be told. */
export function patchesIn(bundle: string): readonly Patch[] {
  const heads = [...bundle.matchAll(moduleHead)];
  return [...bundle.matchAll(guard)].flatMap((found) => {
    const { 0: text, 1: id = '', index } = found;
    const file = heads.findLast((head) => head.index < index)?.[1];
    const lifecycle = /^libs\/workflows\/src\/(\w+)\.workflow\.ts$/.exec(file ?? '')?.[1];
    if (lifecycle === undefined) throw new Error(`the patch "${id}" stands in ${file}, and in no workflow`);
    const slug = id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    return [{ lifecycle, id, slug, call: [index, index + text.length] as const }];
  });
}

/** The bundle without this guard: as if it had never been there (false), or as if old runs were no more (true). */
export function unguarded(bundle: string, { call: [start, end] }: Patch, answer: boolean): string {
  return bundle.slice(0, start) + String(answer) + bundle.slice(end);
}
