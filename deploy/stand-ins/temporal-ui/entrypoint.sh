# As the official image does: the configuration from the variables, then the server.
set -eu
cat > config/docker.yaml <<CONFIGURATION
host: 0.0.0.0
port: 8080
temporalGrpcAddress: "$TEMPORAL_ADDRESS"
enableUi: true
defaultNamespace: default
notifyOnNewVersion: false
codec: { endpoint: "$TEMPORAL_CODEC_ENDPOINT", includeCredentials: $TEMPORAL_CODEC_INCLUDE_CREDENTIALS }
CONFIGURATION
exec ui-server --root . --config config --env docker start
