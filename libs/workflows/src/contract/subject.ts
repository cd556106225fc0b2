/** What a run is about, and rows belong to. Names only, never a secret. */
export interface Subject {
  readonly environment: string;
  readonly application: string;
  /** Ours; its prefix tells the kind. */
  readonly id: string;
}

const prefixes = {
  payment: 'pay_',
  refund: 're_',
  plan: 'plan_',
  subscription: 'sub_',
  payout: 'po_',
} as const;

export type SubjectKind = keyof typeof prefixes;

export const subjectKinds = Object.keys(prefixes) as readonly SubjectKind[];

export function prefixOf(kind: SubjectKind): string {
  return prefixes[kind];
}

/** @throws for an id that is none of ours. */
export function kindOf({ id }: Pick<Subject, 'id'>): SubjectKind {
  for (const kind of subjectKinds) if (id.startsWith(prefixes[kind])) return kind;
  throw new Error('an id of no kind');
}
