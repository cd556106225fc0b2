import cookie from '@fastify/cookie';
import csrfProtection from '@fastify/csrf-protection';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { ReceivedBody } from '../requests/received-body.js';
import { cookieOptions } from './console-sessions.js';

/** Lets the console see cookies, and make tokens that only its own pages know. */
export async function protectForms(app: NestFastifyApplication): Promise<void> {
  await app.register(cookie);
  await app.register(csrfProtection, {
    cookieKey: '__Host-console-form',
    cookieOpts: cookieOptions,
    getToken: (request) => formOf(request)['_csrf'],
  });
}

/** The fields of a form; of a name that comes twice, the last one. */
export function formOf({ body }: FastifyRequest): Readonly<Record<string, string>> {
  if (!(body instanceof ReceivedBody)) return {};
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(body.contentType)) return {};
  return Object.fromEntries(new URLSearchParams(body.bytes.toString('utf8')));
}

/** @throws {Problem} 403 for a form that no page of the console has made in this browser. */
export async function assertOwnForm(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const refuse = () =>
      reject(
        new Problem('forbidden', {
          detail: 'The form is not from this browser. Open its page again and repeat.',
        }),
      );
    // Its own answer would be no page of the console.
    const answer = Object.assign(Object.create(reply) as FastifyReply, { send: refuse });
    request.server.csrfProtection(request, answer, () => resolve());
  });
}
