import { expect, it } from 'vitest';
import { readAudit } from '#tools/audit-report.js';

const report = (found: object) =>
  JSON.stringify({
    auditReportVersion: 2,
    metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0, ...found } },
  });

it.each([
  [{}, false],
  [{ low: 3, moderate: 2 }, false],
  [{ high: 1 }, true],
  [{ critical: 1 }, true],
])('an audit that found %j is serious: %s', (found, isSerious) => {
  expect(readAudit(report(found))?.isSerious).toBe(isSerious);
});

it.each([
  ['that refuses', JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 })],
  ['that is away', ''],
  ['that answers with a page', '<html></html>'],
])('a registry %s has audited nothing', (_which, text) => {
  expect(readAudit(text)).toBeUndefined();
});
