import type { CauseActivities, ViewActivities } from '#workflows/contract';

/** @param steps the activities that call the provider and write rows, by name. */
export function viewActivities(steps: object): ViewActivities & CauseActivities {
  const named = new Map(
    Object.entries(steps) as [string, (...args: readonly unknown[]) => Promise<unknown>][],
  );
  return {
    recordView: async (view) => ({ ...view, at: Date.now() }),
    takeEvent: async (view, step) => {
      if (!step) return view;
      const activity = named.get(step.name);
      if (!activity) throw new Error(`this worker has no activity ${step.name}`);
      return { ...view, result: (await activity(...step.args)) ?? null };
    },
    persistCause: async () => undefined,
  };
}
