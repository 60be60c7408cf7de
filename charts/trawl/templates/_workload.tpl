{{/* The Deployment of one workload: (dict "root" $ "item" …). */}}
{{- define "trawl.deployment" -}}
{{- $root := .root -}}
{{- $item := .item -}}
{{- $v := $item.values -}}
{{- $isFetcher := eq $item.component "fetcher" -}}
{{- $grace := include "trawl.grace" . -}}
{{- include "trawl.checkMemory" . -}}
{{- $scaled := ($v.autoscaling).enabled -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $item.name }}
  labels:
    {{- include "trawl.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $item.component }}
spec:
  {{- if not $scaled }}
  replicas: {{ $v.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "trawl.podLabels" . | nindent 6 }}
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels:
        {{- include "trawl.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $item.component }}
        {{- with $item.class }}
        trawl-class: {{ . }}
        {{- end }}
        {{- with $v.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        {{- /* A changed address restarts the pods. */}}
        checksum/addresses: {{ include "trawl.ownAddresses" $root | sha256sum }}
        {{- with $v.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "trawl.serviceAccount" $root }}{{ if and $isFetcher $root.Values.fetcher.deletionCost }}-fetcher{{ end }}
      automountServiceAccountToken: {{ and $isFetcher $root.Values.fetcher.deletionCost }}
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $grace }}
      {{- with $v.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- toYaml $root.Values.podSecurityContext | nindent 8 }}
      {{- if and (eq $item.component "api") (eq $root.Values.migrations.mode "initContainer") }}
      initContainers:
        {{- include "trawl.migrateContainer" $root | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ $item.component }}
          image: {{ include "trawl.image" (dict "root" $root "component" $item.component "digest" $v.digest) }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          env:
            {{- include "trawl.env" . | nindent 12 }}
          ports:
            {{- if eq $item.component "api" }}
            - { name: http, containerPort: 3000 }
            {{- end }}
            - { name: metrics, containerPort: 9464 }
          startupProbe:
            httpGet: { path: /health/live, port: metrics }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          {{- if $v.preStopSeconds }}
          lifecycle:
            preStop:
              exec: { command: [sleep, {{ $v.preStopSeconds | quote }}] }
          {{- end }}
          resources:
            {{- toYaml $v.resources | nindent 12 }}
          securityContext:
            {{- include "trawl.containerSecurity" . | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if $isFetcher }}
            - { name: shm, mountPath: /dev/shm }
            {{- end }}
            {{- with $v.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: {{ $v.tmpSize }} }
        {{- if $isFetcher }}
        - name: shm
          emptyDir: { medium: Memory, sizeLimit: {{ $v.shmSize }} }
        {{- end }}
        {{- with $v.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $v.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $v.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $v.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- if $v.topologySpreadConstraints }}
        {{- toYaml $v.topologySpreadConstraints | nindent 8 }}
        {{- else }}
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "trawl.podLabels" $ | nindent 14 }}
        {{- end }}
        {{- end }}
{{- end -}}

{{/* Seconds from SIGTERM to SIGKILL. Fails when a stopping pod could not finish its work. */}}
{{- define "trawl.grace" -}}
{{- $v := .item.values -}}
{{- $least := add $v.preStopSeconds $v.drainSeconds 15 -}}
{{- $grace := $v.terminationGracePeriodSeconds | default $least | int64 -}}
{{- if lt $grace $least -}}
{{- fail (printf "%s: terminationGracePeriodSeconds is %d, but preStopSeconds + drainSeconds + 15 is %d: pods would be killed before they end their work" .item.name $grace $least) -}}
{{- end -}}
{{- if eq .item.component "fetcher" -}}
{{- range list (list "SCRAPE_TIMEOUT_MS" 60000) (list "FETCH_TIMEOUT_MS" 30000) -}}
{{- $ms := include "trawl.setting" (dict "root" $.root "values" $v "name" (index . 0) "default" (index . 1)) | int64 -}}
{{- if lt (mul $v.drainSeconds 1000) $ms -}}
{{- fail (printf "%s: drainSeconds is %v, but a page may take %d ms (%s): it would return to the queue at every stop" $.item.name $v.drainSeconds $ms (index . 0)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $grace -}}
{{- end -}}

{{/* Fails when the memory limit cannot hold what the settings allow. */}}
{{- define "trawl.checkMemory" -}}
{{- $v := .item.values -}}
{{- $limit := ($v.resources.limits).memory -}}
{{- if $limit -}}
{{- $has := include "trawl.mebibytes" $limit | int -}}
{{- $needs := int $v.heapMiB -}}
{{- $parts := printf "heapMiB %d" (int $v.heapMiB) -}}
{{- if eq .item.component "fetcher" -}}
{{- $shm := include "trawl.mebibytes" $v.shmSize | int -}}
{{- $browsers := mul $v.chromium.maxBrowsers $v.chromium.maxRssMiB | int -}}
{{- $needs = add $needs $shm $browsers | int -}}
{{- $parts = printf "%s + chromium.maxBrowsers × chromium.maxRssMiB %d + shmSize %d" $parts $browsers $shm -}}
{{- end -}}
{{- if lt $has $needs -}}
{{- fail (printf "%s: the memory limit %v is %d MiB, but %s need %d MiB" .item.name $limit $has $parts $needs) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "trawl.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- if eq .item.component "fetcher" }}
{{- if eq .item.values.chromium.sandbox "seccompLocalhost" }}
seccompProfile: { type: Localhost, localhostProfile: {{ .item.values.chromium.localhostProfile }} }
{{- end }}
{{- end }}
{{- end -}}

{{/* Environment of a workload: addresses, what the chart decides, then the settings of the operator. */}}
{{- define "trawl.env" -}}
{{- $root := .root -}}
{{- $c := .item.component -}}
{{- $v := .item.values -}}
{{- $key := ternary "techScan" $c (eq $c "tech-scan") -}}
{{- if ne $c "tech-scan" -}}
- name: DATABASE_URL
  valueFrom:
    {{- include "trawl.address" (dict "root" $root "of" "database" "key" $key "url" (printf "%sUrl" $key) "shared" "apiUrl") | nindent 4 }}
{{- end }}
- name: BROKER_URL
  valueFrom:
    {{- include "trawl.address" (dict "root" $root "of" "broker" "key" "url" "url" "url" "shared" "url") | nindent 4 }}
- name: STORAGE_URL
  valueFrom:
    {{- include "trawl.address" (dict "root" $root "of" "storage" "key" $key "url" (printf "%sUrl" $key) "shared" "apiUrl") | nindent 4 }}
{{- $env := dict
  "BROKER_PREFIX" $root.Values.broker.prefix
  "METRICS_HOST" "0.0.0.0"
  "METRICS_PORT" "9464"
  "DRAIN_SECONDS" $v.drainSeconds
  "NODE_OPTIONS" (printf "--max-old-space-size=%d" (int $v.heapMiB)) -}}
{{- with $root.Values.storage.publicUrl }}{{ $_ := set $env "STORAGE_PUBLIC_URL" . }}{{ end -}}
{{- with $root.Values.tracing.endpoint -}}
{{- $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" . -}}
{{- $_ := set $env "OTEL_TRACES_SAMPLER_ARG" $root.Values.tracing.share -}}
{{- end -}}
{{- if eq $c "api" -}}
{{- $url := $v.publicUrl -}}
{{- if and (not $url) $v.ingress.enabled $v.ingress.hosts -}}
{{- $url = printf "%s://%s" (ternary "https" "http" (not (empty $v.ingress.tls))) (first $v.ingress.hosts) -}}
{{- end -}}
{{- $env = merge $env (dict "HOST" "0.0.0.0" "PORT" "3000" "MIGRATE_ON_START" "false") -}}
{{- with $url }}{{ $_ := set $env "PUBLIC_URL" . }}{{ end -}}
{{- end -}}
{{- if eq $c "fetcher" -}}
{{- $chromium := $v.chromium -}}
{{- $env = merge $env (dict
  "FETCHER_QUEUES" (join "," .item.queues)
  "BROWSER_SANDBOX" (ternary "off" "on" (eq $chromium.sandbox "none"))
  "BROWSER_MAX" $chromium.maxBrowsers
  "BROWSER_PAGES" $chromium.pagesPerBrowser
  "BROWSER_MAX_RSS_MIB" $chromium.maxRssMiB) -}}
{{- end -}}
{{- $env = merge $env ($v.settings | default dict) $root.Values.settings -}}
{{- range $name, $value := $env }}
- { name: {{ $name }}, value: {{ include "trawl.text" $value | quote }} }
{{- end }}
{{- if and (eq $c "fetcher") $root.Values.fetcher.deletionCost }}
- name: DELETION_COST_POD
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
{{- end }}
{{- if and $root.Values.tracing.endpoint $root.Values.tracing.existingSecret }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom:
    secretKeyRef: { name: {{ $root.Values.tracing.existingSecret }}, key: {{ $root.Values.tracing.key }} }
{{- end }}
{{- range $name, $from := $v.secretSettings }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $from.secret }}, key: {{ $from.key }} } }
{{- end }}
{{- with $v.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Values files hold numbers as floats: 1000000 must not become 1e+06. */}}
{{- define "trawl.text" -}}
{{- if kindIs "float64" . -}}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* The container that migrates the schema and ends. */}}
{{- define "trawl.migrateContainer" -}}
- name: migrate
  image: {{ include "trawl.image" (dict "root" . "component" "api" "digest" .Values.api.digest) }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [node, dist/apps/api/src/migrate.js]
  env:
    - name: DATABASE_URL
      valueFrom:
        {{- include "trawl.address" (dict "root" . "of" "database" "key" "api" "url" "apiUrl" "shared" "apiUrl") | nindent 8 }}
  resources:
    requests: { cpu: 100m, memory: 256Mi }
    limits: { memory: 512Mi }
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    runAsNonRoot: true
    capabilities: { drop: [ALL] }
  volumeMounts:
    - { name: tmp, mountPath: /tmp }
{{- end -}}

{{/* Addresses given as values, by the keys of the chart's own Secret. */}}
{{- define "trawl.ownAddresses" -}}
{{- $found := dict -}}
{{- $wanted := list
  (list "database" "api" "apiUrl" "apiUrl") (list "database" "fetcher" "fetcherUrl" "apiUrl")
  (list "broker" "url" "url" "url") (list "broker" "managementUrl" "managementUrl" "managementUrl")
  (list "storage" "api" "apiUrl" "apiUrl") (list "storage" "fetcher" "fetcherUrl" "apiUrl")
  (list "storage" "techScan" "techScanUrl" "apiUrl") -}}
{{- range $wanted -}}
{{- $given := index $.Values (index . 0) -}}
{{- if not $given.existingSecret -}}
{{- $url := index $given (index . 2) | default (index $given (index . 3)) -}}
{{- if $url }}{{ $_ := set $found (printf "%s-%s" (index . 0) (index . 1 | kebabcase)) $url }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toYaml $found -}}
{{- end -}}
