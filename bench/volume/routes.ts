import { apiPaths, smallLists } from './api-routes.js';
import { consolePaths } from './console-routes.js';
import type { Samples } from './samples.js';

export interface Route {
  readonly path: string;
  /** Whose key, or the console's session. */
  readonly as: 'shop' | 'kiosk' | 'console';
}

/** Every list, search and first screen, by name. */
export function routesOf(samples: Samples, now: number): Readonly<Record<string, Route>> {
  const ofKiosk = smallLists.map((path): [string, string] => [`small application: ${path}`, path]);
  return {
    ...routesAs('shop', Object.entries(apiPaths(samples, now))),
    ...routesAs('kiosk', ofKiosk),
    ...routesAs('console', Object.entries(consolePaths(samples, now))),
  };
}

function routesAs(as: Route['as'], paths: readonly [name: string, path: string][]): Record<string, Route> {
  return Object.fromEntries(paths.map(([name, path]) => [name, { path, as }]));
}
