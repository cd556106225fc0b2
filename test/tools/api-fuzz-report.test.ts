import { describe, expect, it } from 'vitest';
import { reportOf } from '#proof/api-fuzz/report.js';

const run = (findings: readonly string[]) => ({ tool: 'a tester', operations: 3, cases: 30, findings });

describe('the report of the public testers', () => {
  it('is good if each that could be had found nothing, and names the other one', () => {
    expect(reportOf([run([])], { seed: 1, skipped: ['another'] })).toEqual({
      ok: true,
      seed: 1,
      tools: [{ tool: 'a tester', operations: 3, cases: 30, findings: 0 }],
      skipped: ['another'],
    });
  });

  it('is bad if one found something', () => {
    expect(reportOf([run([]), run(['a 500'])], { seed: 1, skipped: [] })).toMatchObject({ ok: false });
  });

  it('is bad if none could be had: nothing was tested', () => {
    const skipped = ['one', 'another'];
    expect(reportOf([], { seed: 1, skipped })).toEqual({ ok: false, seed: 1, tools: [], skipped });
  });
});
