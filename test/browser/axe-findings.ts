import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong on a page, or within an element of it: rule and element. */
export async function axeFindings(page: Page, within = 'html'): Promise<string[]> {
  // The policy of the page forbids a script that is not its own; the debugger may run one.
  await page.evaluate(axe);
  return await page.evaluate<string[]>(
    `axe.run(${JSON.stringify(within)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}
