import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutants, quickMutants } from '#proof/mutants/catalogue/catalogue.js';
import { chooseMutants } from '#proof/mutants/options.js';
import { verdictOf } from '#proof/mutants/try-mutant.js';
import { mutated } from '#proof/mutants/workspace.js';
import { projectRoot } from '#tools/project.js';

const report = (...statuses: string[]) => ({
  testResults: [{ assertionResults: statuses.map((status, n) => ({ status, fullName: `test ${n}` })) }],
});

const sourceOf = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

describe('the mutants', () => {
  it('all fit the present source of the engine', () => {
    const misfits = mutants.filter((mutant) => mutated(mutant, sourceOf(mutant.file)) === undefined);
    expect(misfits.map(({ name, file }) => `${name} in ${file}`)).toEqual([]);
  });

  it('have unique names, and killers that exist', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    const killers = new Set(mutants.flatMap((mutant) => mutant.killers));
    expect([...killers].filter((killer) => !existsSync(join(projectRoot, killer)))).toEqual([]);
  });

  it('are chosen by a part of a name, and an unknown one is reported', () => {
    expect(chooseMutants(['--only', 'amounts-are-floats']).map(({ name }) => name)).toEqual([
      'amounts-are-floats',
    ]);
    expect(chooseMutants(['--quick'])).toEqual(quickMutants());
    expect(() => chooseMutants(['--only', 'no-such'])).toThrow('No mutant is called no-such');
  });
});

describe('a mutant', () => {
  const mutant = { name: 'm', harm: '', file: 'f', killers: [], changes: [{ from: 'a', to: 'b' }] };

  it('changes its code where that occurs once, and nothing else', () => {
    expect(mutated(mutant, 'x(a, y)')).toBe('x(b, y)');
    expect(mutated(mutant, 'x(y)')).toBeUndefined();
    expect(mutated(mutant, 'a(a)')).toBeUndefined();
  });

  it('is killed by a test that fails, and survives when all of them pass', () => {
    expect(verdictOf(report('passed', 'failed'), 1)).toEqual({ outcome: 'killed', by: 'test 1' });
    expect(verdictOf(report('passed'), 0)).toEqual({ outcome: 'survived' });
  });

  it('is not called killed when no test ran, whatever the exit code', () => {
    expect(verdictOf(report(), 1)).toEqual({ outcome: 'unloaded' });
    expect(verdictOf(report(), 0)).toEqual({ outcome: 'unloaded' });
    expect(verdictOf(undefined, null)).toEqual({ outcome: 'unloaded' });
  });
});
