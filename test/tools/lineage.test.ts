import { describe, expect, it } from 'vitest';
import { linksToNpm } from '#tools/lineage.js';

describe('the way from npm to a command', () => {
  it('goes over the bootstrap, which tells who its parent was at its start', () => {
    const env = { STARTED_BY_BOOTSTRAP: '20 10', npm_lifecycle_event: 'start' };
    expect(linksToNpm(env, 20)).toEqual([
      { pid: process.pid, parent: 20 },
      { pid: 20, parent: 10 },
    ]);
  });

  it('ends at the bootstrap where a shell has started that', () => {
    expect(linksToNpm({ STARTED_BY_BOOTSTRAP: '20 10' }, 20)).toEqual([{ pid: process.pid, parent: 20 }]);
  });

  it('is not there for a descendant that has only inherited the variable, or for a command by hand', () => {
    expect(linksToNpm({ STARTED_BY_BOOTSTRAP: '20 10', npm_lifecycle_event: 'test' }, 21)).toEqual([]);
    expect(linksToNpm({}, 21)).toEqual([]);
  });
});
