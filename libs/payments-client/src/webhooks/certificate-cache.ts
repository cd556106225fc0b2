import { type KeyObject, X509Certificate } from 'node:crypto';
import type { FetchCertificate } from './fetch-certificate.js';

/** What a delivery is verified with, read out of its certificate once. */
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

/** Certificates are replaced under new addresses; an hour bounds how long a withdrawn one is believed. */
const FRESH_MS = 3_600_000;
/** How long a failure stands in for a new try: enough to break a flood, short enough for the next delivery. */
const FAILED_MS = 2_000;
/** Addresses are chosen by whoever posts to us, so what they can make us keep, or fetch at once, is bounded. */
const MAX_KEPT = 32;
const MAX_OPEN_FETCHES = 4;

/**
 * Signing certificates by address: fetched once for many deliveries, failures forgotten soon. Those that were
 * had are kept apart from those that were not, so that invented addresses cannot push a real one out.
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
   * @throws when it cannot be had now, or is no certificate
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
