import { createHash } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { scopeOf } from '../auth/scopes.js';
import { problemDocument } from '../problems/problem-document.js';
import { problemResponse } from './describe-operation.js';
import { describeExamples } from './examples/index.js';
import { describeFields } from './field-words.js';
import { docsPage, docsScript, docsScriptPath } from './docs-page.js';
import { introduction } from './introduction.js';
import { linkOperations } from './operation-links.js';
import { describePathParameters } from './path-parameters.js';
import { describeHeaders } from './response-headers.js';
import { describeTags } from './tags.js';

/** What the API sends by itself. */
export interface DescribedWebhooks {
  /** The member `webhooks` of the document. */
  readonly webhooks: Readonly<Record<string, object>>;
  /** The components to which it refers. */
  readonly schemas: readonly z.ZodType[];
}

/** Written once for a process: all its APIs have the same routes, and it is half of the work of a start. */
let described: OpenAPIObject | undefined;

/** Serves the document at /openapi.json and a page to try it at /docs; the page loads nothing from other hosts. */
export function serveOpenApi(app: INestApplication, webhooks: DescribedWebhooks): void {
  described ??= describeApi(app, webhooks);
  const document = described;
  const server = app.getHttpAdapter().getInstance() as FastifyInstance;
  serveDocument(server, Buffer.from(JSON.stringify(document)));
  server.get(docsScriptPath, async (_request, reply) => await reply.type('text/javascript').send(docsScript));
  SwaggerModule.setup('docs', app, document, docsPage);
  // The API's root address redirects a browser to this page.
  server.get('/', async (_request, reply) => await reply.redirect('/docs', 302));
}

/** As bytes, made once: a caller needs no key, so each of them gets the same document. */
function serveDocument(server: FastifyInstance, document: Buffer): void {
  const etag = `"${createHash('sha256').update(document).digest('base64url')}"`;
  server.get('/openapi.json', (request, reply) => {
    void reply.headers({ etag, 'cache-control': 'no-cache' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type('application/json').send(document);
  });
}

/** @param app may be without its connections: only its routes are read. */
export function describeApi(app: INestApplication, { webhooks, schemas }: DescribedWebhooks): OpenAPIObject {
  const outline = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payments API')
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setDescription(introduction)
    // Relative: the page calls the API at the origin it was loaded from.
    .addServer('/')
    // Not addBearerAuth, which describes the key as a JWT.
    .addSecurity('apiKey', { type: 'http', scheme: 'bearer', description: 'API key of an order service.' })
    .build();
  const document = SwaggerModule.createDocument(app, outline, {
    autoTagControllers: false,
    standardSchemaConverter: (schema, { schemaType }) => convert(schema as z.ZodType, schemaType),
  });
  describePathParameters(document);
  const tags = describeTags(document);
  const headers = describeHeaders(document, problemResponse);
  linkOperations(document);
  const examples = describeExamples(document, webhooks);
  const added = [problemDocument, ...schemas].map(componentsOf);
  const whole = {
    ...document,
    tags,
    paths: withScopes(document.paths),
    // Unknown to the library's type, which is that of OpenAPI 3.0.
    webhooks,
    components: {
      ...document.components,
      headers,
      examples,
      schemas: Object.assign({}, ...added, document.components?.schemas) as ComponentSchemas,
    },
  };
  describeFields(whole);
  describeOptionalBodies(whole);
  return whole;
}

/** A POST whose fields may all be absent can be sent without a body. */
function describeOptionalBodies({ paths, components }: OpenAPIObject): void {
  for (const { post } of Object.values(paths)) {
    if (!post?.requestBody || '$ref' in post.requestBody) continue;
    const schema = post.requestBody.content['application/json']?.schema;
    const name = schema && '$ref' in schema ? (schema.$ref.split('/').at(-1) ?? '') : '';
    const named = components?.schemas?.[name];
    if (named && 'type' in named && named.type === 'object' && !named.required)
      post.requestBody.required = false;
  }
}

/** OpenAPI 3.1 names the roles that an operation needs beside its security scheme. */
function withScopes(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations) as [string, OperationObject][]) {
      if (operation.security?.length)
        operation.security = [{ apiKey: [scopeOf(method.toUpperCase(), path)] }];
    }
  }
  return paths;
}

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
type ComponentSchemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** The components that no operation names. */
function componentsOf(schema: z.ZodType): object {
  const { components } = convert(z.object({ schema }), 'output');
  return JSON.parse(JSON.stringify(components).replaceAll('#/$defs/', '#/components/schemas/')) as object;
}

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it; schemas with an id become components. */
function convert(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return { schema: rest as object, components: $defs as Record<string, object> };
}
