{{/* Each takes what those of _parts.tpl take. */}}

{{/* Where the pods of a deployment run: on different nodes and in different zones, if they can. */}}
{{- define "engine.placement" -}}
terminationGracePeriodSeconds: {{ (index .root.Values .part).terminationGraceSeconds }}
topologySpreadConstraints:
  {{- $part := . }}
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    # Those of a release are spread among themselves.
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "engine.selector" $part | nindent 8 }}
  {{- end }}
{{- end }}

{{/*
A process that is away from PostgreSQL or Temporal need not be started again. An API that is away from them is ready: it says when
to come again, and without Temporal it takes webhooks. All would leave at once, also when all their connections are in use. One
whose clock is wrong is not ready: it would refuse what is right.
*/}}
{{- define "engine.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 6
readinessProbe:
  httpGet: { path: {{ ternary "/readyz?except=database,temporal" "/readyz" (eq .part "api") | quote }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}

{{/* A budget for evictions. Pods that are not ready do not keep a node from being drained: all are when Temporal is away. */}}
{{- define "engine.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "engine.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "engine.selector" . | nindent 6 }}
{{- end }}

{{- define "engine.scaledByProcessor" -}}
{{- $scaling := (index .root.Values .part).autoscaling -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "engine.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .root.Release.Name }}-{{ .part }} }
  minReplicas: {{ $scaling.min }}
  maxReplicas: {{ $scaling.max }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ $scaling.cpuPercent }} } }
{{- end }}

{{/* Metadata of the pods of a deployment, whose metrics Prometheus finds by annotations, or its operator by PodMonitors. */}}
{{- define "engine.podMetadata" -}}
labels:
  {{- include "engine.labels" . | nindent 2 }}
{{- with .root.Values.metrics }}
{{- if and .isOn (not .hasOperator) }}
annotations: { prometheus.io/scrape: 'true', prometheus.io/port: {{ .port | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* Takes "http" besides, the port of the process. */}}
{{- define "engine.ports" -}}
- { name: http, containerPort: {{ .http }} }
{{- with .root.Values.metrics }}
{{- if .isOn }}
- { name: metrics, containerPort: {{ .port }} }
{{- end }}
{{- end }}
{{- end }}

{{/* How temporal-worker-controller, and the workers that it starts, reach Temporal. */}}
{{- define "engine.connection" -}}
{{- $secret := .root.Values.secret }}
{{- $tls := .root.Values.temporal.tls }}
{{- if and $tls.isOn (not (or $tls.clientSecret $tls.serverName $secret.hasTemporalApiKey)) }}
{{- fail "worker.versions: temporal-worker-controller uses TLS only with temporal.tls.serverName, temporal.tls.clientSecret or an API key" }}
{{- end -}}
apiVersion: temporal.io/v1alpha1
kind: Connection
metadata:
  {{- include "engine.metadata" . | nindent 2 }}
spec:
  hostPort: {{ .root.Values.temporal.address | quote }}
  {{- with $tls.serverName }}
  tls: { serverName: {{ . | quote }} }
  {{- end }}
  {{- with $tls.clientSecret }}
  mutualTLSSecretRef: { name: {{ . }} }
  {{- end }}
  {{- if $secret.hasTemporalApiKey }}
  apiKeySecretRef: { name: {{ .root.Values.worker.secret | default $secret.name }}, key: TEMPORAL_API_KEY }
  {{- end }}
{{- end }}
