import { createPrivateKey, webcrypto, type KeyObject } from 'node:crypto';
import 'reflect-metadata';
import { X509CertificateGenerator } from '@peculiar/x509';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { newResourceId } from '../http/identifiers.js';

export interface SigningCertificate {
  id: string;
  certificatePem: string;
  privateKey: KeyObject;
}

const VALID_YEARS = 10;
/** Any constant of our own: processes that start at once agree on one certificate. */
const CREATION_LOCK = 7_403_211;

/** The certificate that deliveries are signed with: made at the first start and kept from then on. */
export async function loadSigningCertificate(database: Kysely<Tables>): Promise<SigningCertificate> {
  const row = await database.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${CREATION_LOCK})`.execute(transaction);
    const present = await transaction.selectFrom('signing_certificates').selectAll().executeTakeFirst();
    if (present !== undefined) return present;
    const made = await makeCertificate(new Date());
    return transaction
      .insertInto('signing_certificates')
      .values(made)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return {
    id: row.id,
    certificatePem: row.certificate_pem,
    privateKey: createPrivateKey(row.private_key_pem),
  };
}

async function makeCertificate(now: Date) {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(now.getUTCFullYear() + VALID_YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=webhooks.sandbox.example, O=Payments service sandbox',
      keys,
      signingAlgorithm: algorithm,
      // A verifier's clock may be a little behind ours.
      notBefore: new Date(now.getTime() - 86_400_000),
      notAfter,
    },
    webcrypto,
  );
  const privateKey = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  return {
    id: `CERT-${newResourceId()}`,
    certificate_pem: certificate.toString('pem'),
    private_key_pem: key.export({ format: 'pem', type: 'pkcs8' }) as string,
    created_at: now,
  };
}
