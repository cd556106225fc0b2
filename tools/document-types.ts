import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from '#api/openapi-document.js';

/** The API's document as a module of types. */
export async function documentTypes(): Promise<string> {
  // A field with a default is in every answer, where the document says so itself, and need not be in a request.
  const settings = { defaultNonNullable: false };
  return astToString(await openapiTS(JSON.stringify(await openApiDocument()), settings));
}
