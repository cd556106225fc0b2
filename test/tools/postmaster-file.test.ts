import { describe, expect, it } from 'vitest';
import { userFrom } from '#tools/postgres-installation.js';
import { classifyPostmaster } from '#tools/postmaster-file.js';

describe('a leftover postmaster.pid', () => {
  const folder = '/clone/.data/engine-postgres/data';

  it('names an orphan when its process serves this folder', () => {
    expect(classifyPostmaster(`/native/bin/postgres -D ${folder} -c port=5432`, folder)).toBe('orphan');
  });

  it('names another program when that has the process id by now', () => {
    expect(classifyPostmaster('/usr/bin/node server.js', folder)).toBe('otherProcess');
  });

  it('names another PostgreSQL when that serves another folder, even one with a longer name', () => {
    expect(classifyPostmaster(`/native/bin/postgres -D ${folder}-2 -c port=5432`, folder)).toBe(
      'otherProcess',
    );
  });

  it('names nobody when the process is gone', () => {
    expect(classifyPostmaster('', folder)).toBe('gone');
  });
});

describe('the user that runs PostgreSQL for root', () => {
  const passwd =
    'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\npostgresql:x:5:5::/:/bin/false\n';

  it('is found by its exact name', () => {
    expect(userFrom(passwd, 'nobody')).toEqual({ uid: 65_534, gid: 65_533 });
    expect(userFrom(passwd, 'postgres')).toBeUndefined();
  });

  it('is never root', () => {
    expect(userFrom(passwd, 'root')).toBeUndefined();
  });
});
