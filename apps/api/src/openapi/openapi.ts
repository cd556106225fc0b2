import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { problemDocument } from '../problems/problem-document.js';
import { introduction } from './introduction.js';

/** Serves the document at /openapi.json and a page to try it at /docs; nothing is loaded from elsewhere. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, describeApi(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Payments API',
    swaggerOptions: { validatorUrl: null, tryItOutEnabled: true },
  });
  // Whoever opens the API's bare address in a browser is looking for this page.
  const server = app.getHttpAdapter().getInstance() as FastifyInstance;
  server.get('/', async (_request, reply) => await reply.redirect('/docs', 302));
}

function describeApi(app: INestApplication): OpenAPIObject {
  const outline = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payments API')
    .setVersion('1')
    .setDescription(introduction)
    // Relative: the page tries the API where it was itself loaded from.
    .addServer('/')
    // Not addBearerAuth: that calls every key a JWT.
    .addSecurity('apiKey', { type: 'http', scheme: 'bearer', description: 'API key of an order service.' })
    .build();
  const document = SwaggerModule.createDocument(app, outline, {
    autoTagControllers: false,
    standardSchemaConverter: (schema, { schemaType }) => convert(schema as z.ZodType, schemaType),
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '').toLowerCase()}.${method}`,
  });
  const { components } = convert(problemDocument, 'output');
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ...components },
    },
  };
}

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it; schemas with an id become components. */
function convert(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return { schema: rest as object, components: $defs as Record<string, object> };
}
