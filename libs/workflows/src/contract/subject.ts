/** What a run is about and what rows belong to. Contains no secret. */
export interface Subject {
  readonly environment: string;
  readonly application: string;
  /** Our id; its prefix is the kind. */
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

/** @throws for an id without a known prefix. */
export function kindOf({ id }: Pick<Subject, 'id'>): SubjectKind {
  for (const kind of subjectKinds) if (id.startsWith(prefixes[kind])) return kind;
  throw new Error('an id without a known prefix');
}
