import { type KeyObject, X509Certificate } from 'node:crypto';
import type { FetchCertificate } from './fetch-certificate.js';

/** The parsed certificate with which deliveries are verified. */
export interface SigningCertificate {
  readonly publicKey: KeyObject;
  /** Of an RSA key; 0 of any other. */
  readonly rsaBits: number;
  /** In force from then to then, in milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
}

interface Entry {
  readonly certificate: Promise<SigningCertificate>;
  readonly staleAt: number;
}

/** New certificates have new addresses; an hour limits how long a withdrawn one is trusted. */
const FRESH_MS = 3_600_000;
/** How long a failure is cached: long enough to stop a flood, short enough for the next delivery. */
const FAILED_MS = 2_000;
/** Senders choose the addresses, so the number of cached certificates and concurrent fetches is limited. */
const MAX_KEPT = 32;
const MAX_OPEN_FETCHES = 4;

/**
 * Signing certificates by address: fetched once for many deliveries. Failures are forgotten soon and cached separately,
 * so that invented addresses cannot evict a real certificate.
 */
export class CertificateCache {
  readonly #fetch: FetchCertificate;
  readonly #had = new Map<string, Entry>();
  readonly #failed = new Map<string, Entry>();
  readonly #open = new Map<string, Promise<SigningCertificate>>();

  constructor(fetch: FetchCertificate) {
    this.#fetch = fetch;
  }

  /**
   * @param address must have been found trusted
   * @throws if it cannot be fetched now, or is not a certificate
   */
  async get(address: string): Promise<SigningCertificate> {
    const known = this.#had.get(address) ?? this.#failed.get(address);
    if (known !== undefined && performance.now() < known.staleAt) return known.certificate;
    const open = this.#open.get(address);
    if (open !== undefined) return open;
    if (this.#open.size >= MAX_OPEN_FETCHES) throw new Error('too many certificates are being fetched');
    const certificate = this.#load(address);
    this.#open.set(address, certificate);
    const settle = (entries: Map<string, Entry>, lifeMs: number) => {
      this.#open.delete(address);
      keep(entries, address, { certificate, staleAt: performance.now() + lifeMs });
    };
    certificate.then(
      () => settle(this.#had, FRESH_MS),
      () => settle(this.#failed, FAILED_MS),
    );
    return certificate;
  }

  async #load(address: string): Promise<SigningCertificate> {
    return readCertificate(new X509Certificate(await this.#fetch(address)));
  }
}

function keep(entries: Map<string, Entry>, address: string, entry: Entry): void {
  entries.delete(address);
  entries.set(address, entry);
  const [oldest] = entries.keys();
  if (entries.size > MAX_KEPT && oldest !== undefined) entries.delete(oldest);
}

function readCertificate({ publicKey, validFromDate, validToDate }: X509Certificate): SigningCertificate {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey;
  return {
    publicKey,
    rsaBits: type === 'rsa' ? (details?.modulusLength ?? 0) : 0,
    validFrom: validFromDate.getTime(),
    validTo: validToDate.getTime(),
  };
}
