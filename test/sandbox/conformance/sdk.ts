import { createRequire } from 'node:module';
import { CLIENT_ID, CLIENT_SECRET } from '../sandbox-fixture.js';

/** An answer as the SDK hands it on: the body, with the status beside its fields. */
export interface SdkAnswer {
  httpStatusCode: number;
  // eslint-disable-next-line typescript/no-explicit-any
  [field: string]: any;
}

interface SdkError extends Error {
  httpStatusCode: number;
  response: SdkAnswer;
}

type Done = (error: SdkError | null, answer: SdkAnswer) => void;
type Verb = (...given: unknown[]) => void;

interface SdkModule {
  version: string;
  configure(options: object): void;
  generateToken(done: (error: SdkError | null, token: string) => void): void;
  [resource: string]: unknown;
}

const require = createRequire(import.meta.url);
const paypal = require('paypal-rest-sdk') as SdkModule;
const hosts = require('paypal-rest-sdk/lib/utils') as { getDefaultApiEndpoint: () => string };

/**
 * The public client, unchanged, pointed at the service. It takes its host from a function of its own whatever it is
 * configured with, so that function is what names another host here; schema and port are ordinary options.
 */
export function pointSdkAt(url: string): void {
  const { hostname, port } = new URL(url);
  hosts.getDefaultApiEndpoint = () => hostname;
  const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
  paypal.configure({ mode: 'sandbox', schema: 'http', host: hostname, port, ...credentials });
}

export const sdkVersion = paypal.version;

export function generateToken(): Promise<string> {
  return new Promise((resolve, reject) => {
    paypal.generateToken((error, token) => (error === null ? resolve(token) : reject(error)));
  });
}

/** Calls `payment.create`, `notification.webhook.list`, …; what is refused is thrown with the service’s words. */
export function sdk(verb: string, ...given: unknown[]): Promise<SdkAnswer> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, answer) => (error === null ? resolve(answer) : reject(readable(verb, error)));
    invoke(verb, [...given, done]);
  });
}

/** The status and the body of a refusal. */
export function refusal(verb: string, ...given: unknown[]): Promise<{ status: number; body: SdkAnswer }> {
  return new Promise((resolve, reject) => {
    const done: Done = (error) => {
      if (error === null) reject(new Error(`${verb} was not refused`));
      else resolve({ status: error.httpStatusCode, body: error.response });
    };
    invoke(verb, [...given, done]);
  });
}

function invoke(verb: string, given: unknown[]): void {
  const steps = verb.split('.');
  const name = steps.pop()!;
  const resource = steps.reduce<Record<string, unknown>>(
    (from, step) => from[step] as Record<string, unknown>,
    paypal,
  );
  Reflect.apply(resource[name] as Verb, resource, given);
}

function readable(verb: string, error: SdkError): Error {
  return new Error(`${verb}: ${error.message} ${JSON.stringify(error.response ?? null)}`, { cause: error });
}
