import { describe, expect, it } from 'vitest';
import {
  renderDynamicConfig,
  renderServerConfig,
  renderWebUiConfig,
  roles,
} from '#tools/cluster/server-config.js';

const ports = {
  frontend: { grpc: 7233, membership: 6933 },
  history: { grpc: 7234, membership: 6934 },
  matching: { grpc: 7235, membership: 6935 },
  worker: { grpc: 7239, membership: 6939 },
};

describe("the configuration of Temporal's server", () => {
  const password = `it's "quoted": {{ .Env }} # no comment`;
  const text = renderServerConfig({
    store: { port: 5432, user: 'postgres', password },
    ports,
    dynamicConfig: '/data/dynamic.yaml',
  });
  const config = JSON.parse(text) as {
    persistence: {
      defaultStore: string;
      visibilityStore: string;
      datastores: Record<string, { sql: Record<string, unknown> }>;
    };
    services: Record<string, { rpc: Record<string, unknown> }>;
    clusterMetadata: { clusterInformation: { active: { rpcAddress: string } } };
  };

  it('keeps runs and visibility in databases of their own, with the password as it is', () => {
    const { defaultStore, visibilityStore, datastores } = config.persistence;
    const store = { pluginName: 'postgres12', connectAddr: '127.0.0.1:5432', user: 'postgres', password };
    expect(datastores[defaultStore]?.sql).toMatchObject({ ...store, databaseName: 'temporal' });
    expect(datastores[visibilityStore]?.sql).toMatchObject({ ...store, databaseName: 'temporal_visibility' });
  });

  it('makes every role listen on the loopback address only, at its own ports', () => {
    expect(Object.keys(config.services)).toEqual([...roles]);
    for (const role of roles) {
      expect(config.services[role]?.rpc).toEqual({
        grpcPort: ports[role].grpc,
        membershipPort: ports[role].membership,
        bindOnIP: '127.0.0.1',
      });
    }
  });

  it('answers the polls of a worker that leaves', () => {
    expect(JSON.parse(text)).toMatchObject({ dynamicConfigClient: { filepath: '/data/dynamic.yaml' } });
    expect(JSON.parse(renderDynamicConfig())).toMatchObject({
      'frontend.enableCancelWorkerPollsOnShutdown': [{ value: true }],
    });
  });

  it('names the frontend as the address of the cluster', () => {
    expect(config.clusterMetadata.clusterInformation.active.rpcAddress).toBe('127.0.0.1:7233');
  });
});

describe("the configuration of Temporal's Web UI", () => {
  it('points to the server and lets the codec endpoint decode', () => {
    const ui = {
      port: 8233,
      temporalAddress: '127.0.0.1:7233',
      codecEndpoint: 'http://127.0.0.1:3000/codec',
    };
    expect(JSON.parse(renderWebUiConfig(ui))).toMatchObject({
      host: '127.0.0.1',
      port: 8233,
      temporalGrpcAddress: '127.0.0.1:7233',
      codec: { endpoint: 'http://127.0.0.1:3000/codec', includeCredentials: true },
    });
  });
});
