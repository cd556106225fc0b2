import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ServedApplication } from '#configuration';
import { type Database, batched } from '#database/connection';
import { findProviderWebhook, type Transmission } from '#database/events';
import { checkedLookup } from '#payments-client/addresses';
import {
  type DeliveryHeaders,
  type SignatureResult,
  certificateFetcher,
  verifyWebhookSignature,
} from '#payments-client/webhooks';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { Problem, unavailable } from '../problems/problem.js';

/** For a provider that is reached by a gateway in the own network. */
const fetchFromAnywhere = certificateFetcher(checkedLookup({ mayBeInternal: () => true }));

/** Decides whether a delivery comes from the provider, on the bytes as they arrived. */
@Injectable()
export class WebhookAuthenticity {
  /** The engine's own webhooks by application: they hardly ever change, and each delivery needs one. */
  private readonly webhookIds = new Map<ServedApplication, string>();
  /** Each forged delivery asks for it. A flood of them shares one statement, so that genuine deliveries do not wait. */
  private readonly readWebhookId: (application: ServedApplication) => Promise<string | undefined>;
  private readonly certificateOrigins: ReadonlyMap<ServedApplication, readonly string[]>;

  constructor(@Inject(databaseToken) db: Database, @Inject(apiConfig) config: ApiConfig) {
    this.readWebhookId = batched((applications) => readWebhookIds(db, applications), {
      largest: 1_000,
      concurrency: 1,
    });
    this.certificateOrigins = new Map(
      config.applications.map((application) => [application, [new URL(application.baseUrl).origin]]),
    );
  }

  /**
   * Checks the signature where the application's provider signs; otherwise the secret in the address has decided.
   *
   * @returns what the signature names, to be bound to this body; undefined where nothing is signed.
   * @throws {Problem} 401 for a forged delivery; 503 when it cannot be decided now, so that it is delivered again.
   */
  async assertGenuine(
    addressee: ServedApplication,
    headers: DeliveryHeaders,
    rawBody: Buffer,
  ): Promise<Transmission | undefined> {
    if (addressee.webhookAuthentication === 'addressSecret') return undefined;
    const result = await this.verify(addressee, headers, rawBody);
    if (result.outcome === 'forged') {
      throw new Problem('unauthorized', { code: result.reason, detail: 'The signature is not acceptable.' });
    }
    if (result.outcome === 'undecided') throw unavailable('The signature cannot be checked now.');
    return { id: result.transmissionId, bodyHash: hash('sha256', rawBody, 'buffer') };
  }

  /** By the webhook's id as it was known, and again where it has changed since. */
  private async verify(
    addressee: ServedApplication,
    headers: DeliveryHeaders,
    rawBody: Buffer,
  ): Promise<SignatureResult> {
    const known = this.webhookIds.get(addressee);
    const check = (webhookId: string) =>
      verifyWebhookSignature({
        headers,
        rawBody,
        webhookId,
        trustedCertificateOrigins: this.certificateOrigins.get(addressee) ?? [],
        ...(addressee.providerAddresses === 'any' && { fetchCertificate: fetchFromAnywhere }),
      });
    const result = known === undefined ? undefined : await check(known);
    if (result && !(result.outcome === 'forged' && result.reason === 'signature_mismatch')) return result;
    const current = await this.currentWebhookId(addressee);
    return result && current === known ? result : await check(current);
  }

  private async currentWebhookId(addressee: ServedApplication): Promise<string> {
    const webhookId = await this.readWebhookId(addressee);
    if (webhookId === undefined) throw unavailable('The webhook is not registered yet.');
    this.webhookIds.set(addressee, webhookId);
    return webhookId;
  }
}

/** For each application, at its index, the id of its webhook at the provider; undefined if there is none. */
async function readWebhookIds(
  db: Database,
  applications: readonly ServedApplication[],
): Promise<readonly (string | undefined)[]> {
  const ids = new Map<ServedApplication, string | undefined>();
  for (const application of new Set(applications))
    ids.set(application, (await findProviderWebhook(db, application))?.webhook_id ?? undefined);
  return applications.map((application) => ids.get(application));
}
