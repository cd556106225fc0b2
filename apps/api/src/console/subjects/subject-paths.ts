const folders = ['payments', 'refunds', 'subscriptions', 'plans', 'payouts'] as const;

/** The routes below the pages of all kinds of subjects. */
export function pathsOfSubjects(rest = ''): string[] {
  return folders.map((folder) => `${folder}/:id${rest}`);
}
