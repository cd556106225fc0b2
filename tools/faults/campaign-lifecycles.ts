import { authorizeLifecycle } from './authorize/authorize-lifecycle.js';
import type { Lifecycle } from './lifecycle.js';

/** What campaigns play, each as often as its weight says. */
export const campaignLifecycles: readonly (readonly [lifecycle: Lifecycle, weight: number])[] = [
  [authorizeLifecycle, 1],
];
