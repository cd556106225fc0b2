import type { FastifyInstance } from 'fastify';
import { ApiError } from '../http/api-error.js';
import type { SigningCertificate } from './signing-certificate.js';

/** Every receiver of a delivery may fetch the certificate that it was signed with. */
export function addCertificateRoutes(api: FastifyInstance, certificate: SigningCertificate): void {
  api.get<{ Params: { id: string } }>(
    '/v1/notifications/certs/:id',
    { config: { operation: 'certificate.get', public: true } },
    (request, reply) => {
      if (request.params.id !== certificate.id) throw new ApiError('INVALID_RESOURCE_ID');
      return reply
        .type('application/x-pem-file')
        .header('cache-control', 'public, max-age=3600')
        .send(certificate.certificatePem);
    },
  );
}
