import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { workerEnvironment } from '#worker/worker-config.js';
import { readEnvironment, temporalSecurityOf } from '#configuration';
import { variables } from './worker-variables.js';

const folder = mkdtempSync(join(tmpdir(), 'temporal-security-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileWith = (name: string): string => {
  writeFileSync(join(folder, name), name);
  return join(folder, name);
};

function securityBy(own: Readonly<Record<string, string>>) {
  return temporalSecurityOf(readEnvironment(workerEnvironment, { ...variables, ...own }));
}

describe('the connection to Temporal', () => {
  it('is in the clear when only address and namespace are set', () => {
    expect(securityBy({ TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'payments' })).toEqual({});
  });

  it('is by TLS with an API key', () => {
    expect(securityBy({ TEMPORAL_API_KEY: 'key' })).toEqual({ tls: true, apiKey: 'key' });
  });

  it.each(['true', '1'])('is by TLS with TEMPORAL_TLS=%s', (value) => {
    expect(securityBy({ TEMPORAL_TLS: value }).tls).toBeTypeOf('object');
  });

  it.each(['PATH', 'DATA'])('has authority, name, certificate and key by their …_%s', (kind) => {
    const value = (name: string): string => (kind === 'PATH' ? fileWith(name) : name);
    const { tls } = securityBy({
      [`TEMPORAL_TLS_SERVER_CA_CERT_${kind}`]: value('ca'),
      [`TEMPORAL_TLS_CLIENT_CERT_${kind}`]: value('cert'),
      [`TEMPORAL_TLS_CLIENT_KEY_${kind}`]: value('key'),
      TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
    });
    if (typeof tls !== 'object' || tls === null) throw new Error('not by TLS');
    expect({
      name: tls.serverNameOverride,
      ca: text(tls.serverRootCACertificate),
      cert: text(tls.clientCertPair?.crt),
      key: text(tls.clientCertPair?.key),
    }).toEqual({ name: 'temporal.example', ca: 'ca', cert: 'cert', key: 'key' });
  });

  it.each([
    ['TEMPORAL_TLS_CLIENT_KEY: is missing', { TEMPORAL_TLS_CLIENT_CERT_DATA: 'cert' }],
    ['TEMPORAL_TLS_CLIENT_CERT: is missing', { TEMPORAL_TLS_CLIENT_KEY_DATA: 'key' }],
    [
      'TEMPORAL_TLS_SERVER_CA_CERT_DATA: must not be set with TEMPORAL_TLS_SERVER_CA_CERT_PATH',
      { TEMPORAL_TLS_SERVER_CA_CERT_DATA: 'ca', TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileWith('ca') },
    ],
    [
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH: must be the path of a file',
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/none' },
    ],
    ['TEMPORAL_TLS: Invalid option', { TEMPORAL_TLS: 'yes' }],
  ])('stops the start by "%s"', (message, own) => {
    expect(() => securityBy(own as Readonly<Record<string, string>>)).toThrow(message);
  });
});

function text(bytes?: Uint8Array | null): string | null | undefined {
  return bytes && Buffer.from(bytes).toString();
}
