import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TOKEN_LIFETIME_SECONDS } from '../applications/access-tokens.js';
import type { Applications } from '../applications/applications.js';
import { Redaction } from '../calls/redaction.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { ErrorName } from '../http/api-error.js';
import { handleErrors } from '../server/error-handler.js';
import { authenticateClient, readBasicCredentials } from './client-credentials.js';

/** The token exchange (interface, sections 2.9 and 5). Its errors have OAuth's own shape. */
export async function addTokenRoutes(api: FastifyInstance, context: SandboxContext): Promise<void> {
  api.removeAllContentTypeParsers();
  await api.register(formbody, { bodyLimit: 16_384 });
  const handleOtherError = handleErrors(context.logger, describeOauthError);
  api.setErrorHandler((error, request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    if (status !== 415 && status !== 413 && status !== 400)
      return handleOtherError(error as Error, request, reply);
    return refuse(reply, status, 'invalid_request', 'The request must be form-encoded');
  });

  api.post('/v1/oauth2/token', {
    config: { operation: 'token', public: true },
    // Faults may be for one application, so the caller's name is read before they take effect.
    preValidation: async (request) => {
      if (request.call !== null) request.call.clientId = await callerOf(request, context.applications);
    },
    handler: (request, reply) => exchange(context, request, reply),
  });
}

/** @returns the client id of an application as it is, one that nobody has in the form that may be shown. */
async function callerOf(request: FastifyRequest, applications: Applications): Promise<string | null> {
  const claimed = readBasicCredentials(request.headers.authorization)?.clientId;
  if (claimed === undefined) return null;
  const application = await applications.find(claimed);
  return application?.clientId ?? new Redaction([]).text(claimed).slice(0, 200);
}

/** Errors that do not come from the exchange itself, including faults, in OAuth's shape, too. */
const OAUTH_ERRORS: Partial<Record<ErrorName, readonly [error: string, description: string]>> = {
  AUTHENTICATION_FAILURE: ['invalid_client', 'Client Authentication failed'],
  RATE_LIMIT_REACHED: ['rate_limit_reached', 'Too many requests'],
  SERVICE_UNAVAILABLE: ['temporarily_unavailable', 'The service is not available at the moment'],
  INTERNAL_SERVER_ERROR: ['server_error', 'An internal error has occurred'],
};

function describeOauthError(name: ErrorName): object {
  const [error, error_description] = OAUTH_ERRORS[name] ?? ['invalid_request', 'The request was refused'];
  return { error, error_description };
}

async function exchange(
  context: SandboxContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const application = await authenticateClient(context.applications, request.headers.authorization);
  if (application === undefined) {
    reply.header('www-authenticate', 'Basic realm="payments"');
    return refuse(reply, 401, 'invalid_client', 'Client Authentication failed');
  }
  const form = (request.body ?? {}) as Record<string, unknown>;
  if (form['grant_type'] !== 'client_credentials') {
    return refuse(reply, 400, 'unsupported_grant_type', 'grant_type must be client_credentials');
  }
  const token = await context.tokens.issue(application.clientId, new Date());
  const origin = context.links.origin();
  return reply.header('cache-control', 'no-store').send({
    scope: `${origin}/v1/payments/.* ${origin}/v1/notifications/.*`,
    access_token: token,
    token_type: 'Bearer',
    app_id: application.appId,
    expires_in: TOKEN_LIFETIME_SECONDS,
  });
}

function refuse(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  return reply.code(status).send({ error, error_description: description });
}
