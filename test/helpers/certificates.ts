import { createPrivateKey, webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface Certified {
  /** Contents as PEM. */
  readonly cert: string;
  readonly key: string;
  /** Paths of files with them. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate authority of a test, and what it has signed, in files that are deleted at the end. */
export class Authority {
  readonly folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  readonly certFile = join(this.folder, 'ca.pem');
  private constructor(
    readonly certificate: X509Certificate,
    private readonly keys: webcrypto.CryptoKeyPair,
  ) {
    writeFileSync(this.certFile, certificate.toString('pem'));
  }

  static async create(): Promise<Authority> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned(
      {
        name: 'CN=Authority of a test',
        keys,
        signingAlgorithm: algorithm,
        ...validity(),
        extensions: [new BasicConstraintsExtension(true)],
      },
      webcrypto,
    );
    return new Authority(certificate, keys);
  }

  /** @param host a name or an address of the loopback interface. */
  async certify(host: string): Promise<Certified> {
    const keys = await newKeys();
    const type = /^[\d.]+$/.test(host) ? 'ip' : 'dns';
    const certificate = await X509CertificateGenerator.create(
      {
        subject: `CN=${host}`,
        issuer: this.certificate.subject,
        signingKey: this.keys.privateKey,
        publicKey: keys.publicKey,
        signingAlgorithm: algorithm,
        ...validity(),
        extensions: [new SubjectAlternativeNameExtension([{ type, value: host }])],
      },
      webcrypto,
    );
    const cert = certificate.toString('pem');
    const key = await pemOf(keys.privateKey);
    const [certFile, keyFile] = [join(this.folder, `${host}.pem`), join(this.folder, `${host}.key`)];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key, { mode: 0o600 });
    return { cert, key, certFile, keyFile };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function validity(now = Date.now()) {
  return { notBefore: new Date(now - 86_400_000), notAfter: new Date(now + 86_400_000) };
}

async function pemOf(privateKey: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  }) as string;
}
