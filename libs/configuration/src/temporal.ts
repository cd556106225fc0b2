import { readFileSync } from 'node:fs';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';

const text = z.string().optional();
const file = z.string().refine(isReadable, 'must be the path of a file that can be read').optional();

/** Temporal's standard variables for a frontend that demands TLS, a certificate of the client or an API key. */
export const temporalSecurity = {
  TEMPORAL_API_KEY: text.describe('API key for Temporal, as Temporal Cloud demands it; TLS comes with it'),
  TEMPORAL_TLS: z
    .enum(['true', 'false', '1', '0'])
    .optional()
    .describe(
      '`true`: TLS by the authorities that Node and the system know; each of the next variables implies it',
    ),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file.describe(
    'File of the authority that signs the frontend’s certificate',
  ),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: text.describe('The same as PEM'),
  TEMPORAL_TLS_SERVER_NAME: text.describe('Name in the frontend’s certificate, if the address has another'),
  TEMPORAL_TLS_CLIENT_CERT_PATH: file.describe('File of our certificate, for mutual TLS'),
  TEMPORAL_TLS_CLIENT_CERT_DATA: text.describe('The same as PEM'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: file.describe('File of the private key of our certificate'),
  TEMPORAL_TLS_CLIENT_KEY_DATA: text.describe('The same as PEM'),
} as const;

type Name = keyof typeof temporalSecurity;
export type TemporalVariables = { readonly [Variable in Name]?: string | undefined };

/** How a connection to Temporal is protected; empty for one in the clear. Files are read now. */
export function temporalSecurityOf(env: TemporalVariables) {
  const names = Object.keys(temporalSecurity) as Name[];
  const given = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const { connectionOptions } = loadClientConnectConfig({
    // Its address and namespace would be overruled by the defaults of ours.
    disableFile: true,
    overrideEnvVars: Object.fromEntries(given),
  });
  const { tls, apiKey } = connectionOptions;
  return { ...(tls !== undefined && { tls }), ...(apiKey !== undefined && { apiKey }) };
}

function isReadable(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
