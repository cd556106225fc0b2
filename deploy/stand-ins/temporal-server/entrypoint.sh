# As the official image does: the configuration from the variables, then all roles of the server in one process.
set -eu
cat > /etc/temporal/config/docker.yaml <<CONFIGURATION
log: { stdout: true, level: warn }
persistence:
  defaultStore: default
  visibilityStore: visibility
  numHistoryShards: ${NUM_HISTORY_SHARDS:-4}
  datastores:
    default: { sql: &store { pluginName: "$DB", databaseName: temporal, connectProtocol: tcp, user: "$POSTGRES_USER",
      password: "$POSTGRES_PWD", connectAddr: "$POSTGRES_SEEDS:$DB_PORT", maxConns: 20, maxIdleConns: 20 } }
    visibility: { sql: { <<: *store, databaseName: temporal_visibility, maxConns: 10, maxIdleConns: 10 } }
global: { membership: { maxJoinDuration: 30s, broadcastAddress: "$(hostname -i | cut -d' ' -f1)" } }
services:
  frontend: { rpc: { grpcPort: 7233, membershipPort: 6933, bindOnIP: "$BIND_ON_IP" } }
  history: { rpc: { grpcPort: 7234, membershipPort: 6934, bindOnIP: "$BIND_ON_IP" } }
  matching: { rpc: { grpcPort: 7235, membershipPort: 6935, bindOnIP: "$BIND_ON_IP" } }
  worker: { rpc: { grpcPort: 7239, membershipPort: 6939, bindOnIP: "$BIND_ON_IP" } }
clusterMetadata:
  enableGlobalNamespace: false
  failoverVersionIncrement: 10
  masterClusterName: active
  currentClusterName: active
  clusterInformation:
    active: { enabled: true, initialFailoverVersion: 1, rpcName: frontend, rpcAddress: "127.0.0.1:7233" }
dcRedirectionPolicy: { policy: noop }
archival: { history: { state: disabled }, visibility: { state: disabled } }
namespaceDefaults: { archival: { history: { state: disabled }, visibility: { state: disabled } } }
CONFIGURATION
exec temporal-server --root /etc/temporal --config config --env docker --allow-no-auth start
