import type { FastifyRequest } from 'fastify';
import type { ServedApplication } from '#configuration';
import { isSameSecret } from '../auth/same-secret.js';
import type { ApiConfig } from '../injected/api-config.js';
import { servedApplication } from '../injected/served-application.js';
import { Problem } from '../problems/problem.js';

/** The address that a delivery came to. */
export interface WebhookAddress {
  readonly environment: string;
  readonly application: string;
  readonly secret: string;
}

const addressees = new WeakMap<FastifyRequest, ServedApplication>();

/**
 * The application that a delivery is for.
 *
 * @throws {Problem} 404, the same for a wrong environment, application or secret.
 */
export function addresseeOf(config: ApiConfig, request: FastifyRequest): ServedApplication {
  const addressee = addressees.get(request) ?? findAddressee(config, request.params as WebhookAddress);
  addressees.set(request, addressee);
  return addressee;
}

/** True for a delivery to the secret address of an application: it may be genuine. */
export function isAddressed(config: ApiConfig, request: FastifyRequest): boolean {
  try {
    addresseeOf(config, request);
    return true;
  } catch {
    return false;
  }
}

function findAddressee(config: ApiConfig, { secret, ...owner }: WebhookAddress): ServedApplication {
  const addressee = servedApplication(config, owner);
  // Compared in any case: an unknown name must take as long as a wrong secret.
  const isKnown = isSameSecret(secret, addressee?.webhookSecret ?? '');
  if (!addressee || !isKnown) throw new Problem('not-found');
  return addressee;
}
