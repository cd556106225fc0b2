import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { readJson } from '../http/json-body.js';
import { rawMember } from '../http/raw-member.js';
import { checked } from '../http/validation.js';
import { callingApplication } from '../server/request-state.js';
import type { SigningCertificate } from './signing-certificate.js';
import { isOwnDelivery, verificationRequest } from './verify-signature.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent; null outside the scope below. */
    rawBody: Buffer | null;
  }
}

/** Adds the route to its own scope: only there are the bytes of a body kept. */
export async function addVerificationRoutes(
  scope: FastifyInstance,
  context: SandboxContext,
  certificate: SigningCertificate,
): Promise<void> {
  scope.decorateRequest('rawBody', null);
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const bytes = body as Buffer;
      const value = readJson(bytes);
      request.rawBody = bytes;
      done(null, value);
    } catch (error) {
      done(error as Error);
    }
  });

  scope.post(
    '/v1/notifications/verify-webhook-signature',
    { config: { operation: 'signature.verify' } },
    async (request) => {
      const { clientId } = callingApplication(request);
      const body = checked(verificationRequest, request.body);
      const raw = rawMember(request.rawBody?.toString() ?? '', 'webhook_event') ?? '';
      const { certificatePem, id } = certificate;
      const own = { certificatePem, url: context.links.certificate(id) };
      const isOwn = await isOwnDelivery(context.database, clientId, own, body, Buffer.from(raw));
      return { verification_status: isOwn ? 'SUCCESS' : 'FAILURE' };
    },
  );
}
