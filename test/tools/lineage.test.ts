import { describe, expect, it } from 'vitest';
import { linksToNpm } from '#tools/lineage.js';

describe('the way from npm to a command', () => {
  it('goes through the bootstrap, which records its parent at its start', () => {
    const env = { STARTED_BY_BOOTSTRAP: '20 10', npm_lifecycle_event: 'start' };
    expect(linksToNpm(env, 20)).toEqual([
      { pid: process.pid, parent: 20 },
      { pid: 20, parent: 10 },
    ]);
  });

  it('ends at the bootstrap when a shell has started it', () => {
    expect(linksToNpm({ STARTED_BY_BOOTSTRAP: '20 10' }, 20)).toEqual([{ pid: process.pid, parent: 20 }]);
  });

  it('does not exist for a descendant that has only inherited the variable, or for a command typed by hand', () => {
    expect(linksToNpm({ STARTED_BY_BOOTSTRAP: '20 10', npm_lifecycle_event: 'test' }, 21)).toEqual([]);
    expect(linksToNpm({}, 21)).toEqual([]);
  });
});
