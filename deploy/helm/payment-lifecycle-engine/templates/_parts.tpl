{{/* Each takes (dict "root" $ "part" "api"): a part is api, worker, migrations or purge. */}}

{{- define "engine.selector" -}}
app.kubernetes.io/name: payment-lifecycle-engine
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "engine.labels" -}}
{{ include "engine.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "engine.metadata" -}}
name: {{ .root.Release.Name }}-{{ .part }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "engine.labels" . | nindent 2 }}
{{- end }}

{{/* What is no process of the engine runs once, and only needs the database. */}}
{{- define "engine.isProcess" -}}
{{- if has .part (list "api" "worker") }}true{{ end }}
{{- end }}

{{/* Versions of it stand side by side, and temporal-worker-controller says how it reaches Temporal. */}}
{{- define "engine.isVersioned" -}}
{{- if and (eq .part "worker") .root.Values.worker.versions.isOn }}true{{ end }}
{{- end }}

{{/* What runs once is in the image of the API, of the release of the workers, which come first and need its migrations. */}}
{{- define "engine.image" -}}
{{- $image := .root.Values.image }}
{{- $own := index .root.Values .part }}
{{- if not (include "engine.isProcess" .) }}
{{- $own = dict "image" .root.Values.api.image "tag" .root.Values.worker.tag }}
{{- end }}
{{- printf "%s%s:%s" $image.registry $own.image ($own.tag | default $image.tag | default .root.Chart.AppVersion) }}
{{- end }}

{{/* The keys of the Secret that a part needs. */}}
{{- define "engine.secretKeys" -}}
{{- $secret := .root.Values.secret }}
{{- $keys := list "DATABASE_URL" }}
{{- if include "engine.isProcess" . }}
{{- $keys = concat $keys (list "CODEC_KEYS" "PROVIDER_APPLICATIONS") }}
{{- if and $secret.hasTemporalApiKey (not (include "engine.isVersioned" .)) }}{{ $keys = append $keys "TEMPORAL_API_KEY" }}{{ end }}
{{- end }}
{{- if eq .part "api" }}
{{- $keys = append $keys "API_KEYS" }}
{{- if $secret.hasConsoleUsers }}{{ $keys = append $keys "CONSOLE_USERS" }}{{ end }}
{{- if $secret.hasConsoleOidc }}{{ $keys = append $keys "CONSOLE_OIDC" }}{{ end }}
{{- end }}
{{- join " " $keys }}
{{- end }}

{{- define "engine.env" -}}
{{- range splitList " " (include "engine.secretKeys" .) }}
- { name: {{ . }}_FILE, value: /run/secrets/engine/{{ . }} }
{{- end }}
{{- if eq .part "migrations" }}
{{- range $process, $role := .root.Values.migrations.roles }}
{{- if $role }}
- { name: {{ upper $process }}_ROLE, value: {{ $role | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- if eq .part "purge" }}
- { name: RETENTION_DAYS, value: {{ toJson .root.Values.purge.retentionDays | quote }} }
- { name: PURGE_BATCH, value: {{ .root.Values.purge.batch | quote }} }
- { name: PURGE_PAUSE_MS, value: {{ .root.Values.purge.pauseMs | quote }} }
{{- end }}
{{- if include "engine.isProcess" . }}
{{- $temporal := .root.Values.temporal }}
{{- $isVersioned := include "engine.isVersioned" . }}
- { name: PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
{{- if not $isVersioned }}
- { name: TEMPORAL_ADDRESS, value: {{ $temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ $temporal.namespace | quote }} }
{{- end }}
- { name: TEMPORAL_TASK_QUEUE, value: {{ $temporal.taskQueue | quote }} }
{{- with $temporal.tls }}
{{- if and .isOn (not (and $isVersioned .clientSecret)) }}
- { name: TEMPORAL_TLS, value: 'true' }
{{- end }}
{{- if and .serverName (not $isVersioned) }}
- { name: TEMPORAL_TLS_SERVER_NAME, value: {{ .serverName | quote }} }
{{- end }}
{{- if .authoritySecret }}
- { name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /run/secrets/temporal-authority/ca.crt }
{{- end }}
{{- if and .clientSecret (not $isVersioned) }}
- { name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /run/secrets/temporal-client/tls.crt }
- { name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /run/secrets/temporal-client/tls.key }
{{- end }}
{{- end }}
{{- if .root.Values.metrics.isOn }}
- { name: METRICS_HOST, value: 0.0.0.0 }
{{- if eq .part "api" }}
- { name: METRICS_PORT, value: {{ .root.Values.metrics.port | quote }} }
{{- else }}
- { name: WORKER_METRICS_PORT, value: {{ .root.Values.metrics.port | quote }} }
{{- end }}
{{- end }}
{{- range $name, $value := merge (dict) (index .root.Values .part).env .root.Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "engine.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: engine, mountPath: /run/secrets/engine, readOnly: true }
{{- if .root.Values.database.authoritySecret }}
- { name: database, mountPath: /run/secrets/database, readOnly: true }
{{- end }}
{{- if include "engine.isProcess" . }}
{{- $isVersioned := include "engine.isVersioned" . }}
{{- with .root.Values.temporal.tls }}
{{- if .authoritySecret }}
- { name: temporal-authority, mountPath: /run/secrets/temporal-authority, readOnly: true }
{{- end }}
{{- if and .clientSecret (not $isVersioned) }}
- { name: temporal-client, mountPath: /run/secrets/temporal-client, readOnly: true }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "engine.volumes" -}}
{{- $name := (index .root.Values .part).secret | default .root.Values.secret.name -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
- name: engine
  secret:
    secretName: {{ $name }}
    defaultMode: 0440
    items:
      {{- range splitList " " (include "engine.secretKeys" .) }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- with .root.Values.database.authoritySecret }}
- name: database
  secret: { secretName: {{ . }}, defaultMode: 0440, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- if include "engine.isProcess" . }}
{{- with .root.Values.temporal.tls.authoritySecret }}
- name: temporal-authority
  secret: { secretName: {{ . }}, defaultMode: 0440, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- with ternary "" .root.Values.temporal.tls.clientSecret (eq "true" (include "engine.isVersioned" .)) }}
- name: temporal-client
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items: [{ key: tls.crt, path: tls.crt }, { key: tls.key, path: tls.key }]
{{- end }}
{{- end }}
{{- end }}

{{/* What is equal in the pods of all parts: no root, no capability, no token of the cluster. */}}
{{- define "engine.pod" -}}
automountServiceAccountToken: false
{{- with .root.Values.serviceAccount }}
serviceAccountName: {{ . }}
{{- end }}
# Its variables would be named after other services of the namespace.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  {{- include "engine.volumes" . | trim | nindent 2 }}
{{- $nodes := index .root.Values (ternary .part "api" (has .part (list "api" "worker"))) }}
{{- with $nodes.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $nodes.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "engine.container" -}}
name: {{ .part }}
image: {{ include "engine.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources:
  {{- toYaml (index .root.Values .part).resources | nindent 2 }}
env:
  {{- include "engine.env" . | trim | nindent 2 }}
volumeMounts:
  {{- include "engine.mounts" . | nindent 2 }}
{{- end }}
