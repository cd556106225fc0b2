import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChangeAnnouncer, ChangeListener, migrateDatabase, openDatabase } from '#database/connection';
import { Supervisor } from '#tools/supervisor.js';
import { startPostgres } from '#tools/postgres.js';
import { findPostgres } from '#tools/postgres-installation.js';
import { Authority } from '../helpers/certificates.js';
import { forAllTests } from '../helpers/shared.js';
import { announceUntil } from './announce-until.js';

/** The start of the server is noticed by a connection to `postgres`; every other database demands TLS. */
const rules = `
host postgres postgres 127.0.0.1/32 scram-sha-256
hostssl all all all scram-sha-256
`;

describe('a PostgreSQL that demands TLS', () => {
  let supervisor: Supervisor;
  let url: string;
  const authority = forAllTests(
    () => Authority.create(),
    (it) => it.remove(),
  );
  beforeAll(async () => {
    supervisor = await Supervisor.open({ dataFolder: mkdtempSync(join(tmpdir(), 'postgres-tls-')) });
    const { certFile, keyFile } = await authority.certify('localhost');
    const hbaFile = join(authority.folder, 'pg_hba.conf');
    writeFileSync(hbaFile, rules);
    giveToServer(authority.folder, certFile, keyFile, hbaFile);
    const settings = { ssl: 'on', ssl_cert_file: certFile, ssl_key_file: keyFile, hba_file: hbaFile };
    const postgres = await startPostgres({ supervisor, name: 'postgres', settings });
    url = (await postgres.ensureDatabase('engine')).replace('127.0.0.1', 'localhost');
  });
  afterAll(async () => {
    await supervisor.stopAll();
    rmSync(supervisor.dataFolder, { recursive: true, force: true });
  });

  it('is used over TLS when the address names the authority that has signed its certificate', async () => {
    expect(await isEncrypted(`${url}?sslmode=verify-full&sslrootcert=${authority.certFile}`)).toBe(true);
  });

  it('is not used in the clear, nor with a certificate of somebody else', async () => {
    await expect(isEncrypted(url)).rejects.toThrow(/no encryption/);
    const otherAuthority = await Authority.create();
    await expect(
      isEncrypted(`${url}?sslmode=verify-full&sslrootcert=${otherAuthority.certFile}`),
    ).rejects.toThrow(/certificate/);
    otherAuthority.remove();
  });

  it('is migrated, and announces changes, over TLS as well', async () => {
    const secured = `${url}?sslmode=verify-full&sslrootcert=${authority.certFile}`;
    await migrateDatabase(secured);
    const listener = new ChangeListener(secured);
    const announcer = new ChangeAnnouncer(secured);
    await listener.start();
    const woken = Promise.withResolvers<void>();
    listener.onChange(woken.resolve);
    await announceUntil(announcer, 'pay_1', woken.promise);
    await announcer.close();
    await listener.close();
  });
});

/** PostgreSQL takes a key only from its own user, who is not root. */
function giveToServer(folder: string, ...files: readonly string[]): void {
  const { user } = findPostgres();
  chmodSync(folder, 0o755);
  if (user) for (const file of files) chownSync(file, user.uid, user.gid);
}

async function isEncrypted(address: string): Promise<boolean> {
  const db = openDatabase(address, { poolSize: 1 });
  try {
    const { rows } = await sql<{ ssl: boolean }>`
      select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
    return rows[0]?.ssl === true;
  } finally {
    await db.destroy();
  }
}
