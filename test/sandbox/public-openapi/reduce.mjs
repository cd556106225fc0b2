/**
 * Makes the reduced descriptions of this folder out of the public ones:
 *   node reduce.mjs <folder of the public openapi/*.json> <this folder>
 * Keeps the operations that the service covers, with parameters, request examples and every schema they use; leaves out
 * prose (titles, summaries, descriptions), security and everything else. Prettier formats the result.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['payments_payment_v1', 'notifications_webhooks_v1', 'payments_payouts_batch_v1'];
const NOT_COVERED = /\/orders\/|\/webhooks-lookup/;
const [from, to] = process.argv.slice(2);

for (const name of NAMES) {
  const whole = JSON.parse(readFileSync(join(from, `${name}.json`), 'utf8'));
  const paths = Object.fromEntries(Object.entries(whole.paths).filter(([path]) => !NOT_COVERED.test(path)));
  const reduced = { openapi: whole.openapi, paths: withoutProse(paths), components: {} };
  keepUsed(whole, reduced, reduced.paths);
  writeFileSync(join(to, `${name}.json`), `${JSON.stringify(reduced, null, 2)}\n`);
}

/** Below `properties` and inside examples a `description` is a field of the interface, not prose. */
function withoutProse(value, isNameOfField = false) {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) =>
      isNameOfField ||
      !['description', 'summary', 'title', 'security', 'tags', 'deprecated', 'operationId'].includes(key),
  );
  return Object.fromEntries(
    kept.map(([key, item]) => [
      key,
      !isNameOfField && ['examples', 'example', 'default', 'enum'].includes(key)
        ? item
        : withoutProse(item, !isNameOfField && key === 'properties'),
    ]),
  );
}

function keepUsed(whole, reduced, part) {
  for (const [, kind, name] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    reduced.components[kind] ??= {};
    if (name in reduced.components[kind]) continue;
    reduced.components[kind][name] = withoutProse(whole.components[kind][name]);
    keepUsed(whole, reduced, reduced.components[kind][name]);
  }
}
