{{- define "trawl.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- (contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name)) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "trawl.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "trawl.labels" -}}
{{ include "trawl.selectorLabels" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "trawl.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "trawl.fullname" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{/* Image of a component: (dict "root" $ "component" "api" "digest" ""). */}}
{{- define "trawl.image" -}}
{{- $image := .root.Values.image -}}
{{- $registry := required "image.registry is required: the registry and path that the images of docker/Dockerfile were pushed to, such as registry.example.com/team" $image.registry -}}
{{- $name := printf "%s/%s%s" (trimSuffix "/" $registry) $image.prefix .component -}}
{{- if .digest -}}
{{ printf "%s@%s" $name .digest }}
{{- else -}}
{{ printf "%s:%s" $name ($image.tag | default .root.Chart.AppVersion) }}
{{- end -}}
{{- end -}}

{{/* Name of the Secret that the chart keeps for addresses given as values. */}}
{{- define "trawl.ownSecret" -}}
{{ include "trawl.fullname" . }}-addresses
{{- end -}}

{{/*
Reference to an address: (dict "root" $ "of" "database" "key" "api" "url" "apiUrl" "shared" "apiUrl").
From the existing Secret, or from the chart's own when the value is given; otherwise the render fails.
*/}}
{{- define "trawl.address" -}}
{{- $given := index .root.Values .of -}}
{{- if $given.existingSecret -}}
secretKeyRef: { name: {{ $given.existingSecret }}, key: {{ index $given.keys .key }} }
{{- else if or (index $given .url) (index $given .shared) -}}
secretKeyRef: { name: {{ include "trawl.ownSecret" .root }}, key: {{ .of }}-{{ .key | kebabcase }} }
{{- else -}}
{{- fail (printf "%s: name a Secret with its address in %s.existingSecret, or give the address in %s.%s" .of .of .of .url) -}}
{{- end -}}
{{- end -}}

{{/* A quantity of memory in MiB: 512Mi, 2Gi, 1500M or bytes. */}}
{{- define "trawl.mebibytes" -}}
{{- $text := toString . -}}
{{- $number := regexFind "^[0-9.]+" $text | float64 -}}
{{- $unit := regexFind "[A-Za-z]*$" $text -}}
{{- $factors := dict "" 0.00000095367 "k" 0.00095367 "Ki" 0.0009765625 "M" 0.95367 "Mi" 1.0 "G" 953.67 "Gi" 1024.0 "T" 953674.0 "Ti" 1048576.0 -}}
{{- if not (hasKey $factors $unit) }}{{ fail (printf "%q is not a quantity of memory: use 512Mi or 2Gi" $text) }}{{ end -}}
{{- mulf $number (index $factors $unit) | floor | int -}}
{{- end -}}

{{/* A setting of a component as a number: its own value, that of all, or the default. (dict "root" $ "values" … "name" "SCRAPE_TIMEOUT_MS" "default" 60000) */}}
{{- define "trawl.setting" -}}
{{- $all := merge (dict) (.values.settings | default dict) .root.Values.settings -}}
{{- include "trawl.text" (get $all .name | default .default) -}}
{{- end -}}

{{/* What one fetcher or scanner works on at once, by queue: the setting, if it is one, and its default (tested). */}}
{{- define "trawl.concurrency" -}}
scrape: [SCRAPE_CONCURRENCY, 8]
screenshot: [CALL_CONCURRENCY, 8]
convert: [CALL_CONCURRENCY, 8]
map: [CALL_CONCURRENCY, 8]
enrich: [CALL_CONCURRENCY, 8]
brand: [CALL_CONCURRENCY, 8]
search: [CALL_CONCURRENCY, 8]
crawl: [CRAWL_CONCURRENCY, 16]
tech-scan: [fixed, 64]
{{- end -}}

{{/*
The workloads as a list under "items": component, name, values, queues. Fetcher classes are the keys of `fetcher`
with those of the class over them.
*/}}
{{- define "trawl.workloads" -}}
{{- $full := include "trawl.fullname" . -}}
{{- $queues := list "scrape" "screenshot" "convert" "map" "enrich" "brand" "search" "crawl" -}}
{{- $items := list (dict "component" "api" "name" (printf "%s-api" $full) "values" .Values.api "queues" (list)) -}}
{{- if .Values.fetcher.classes -}}
{{- $taken := list -}}
{{- range .Values.fetcher.classes -}}
{{- $values := mergeOverwrite (deepCopy (omit $.Values.fetcher "classes")) (deepCopy .) -}}
{{- $own := .queues | default $queues -}}
{{- $taken = concat $taken $own -}}
{{- $items = append $items (dict "component" "fetcher" "name" (printf "%s-fetcher-%s" $full .name) "values" $values "queues" $own "class" .name) -}}
{{- end -}}
{{- range $queues -}}
{{- if not (has . $taken) }}{{ fail (printf "fetcher.classes: no class takes tasks from the queue %q" .) }}{{ end -}}
{{- end -}}
{{- else -}}
{{- $items = append $items (dict "component" "fetcher" "name" (printf "%s-fetcher" $full) "values" .Values.fetcher "queues" (.Values.fetcher.queues | default $queues)) -}}
{{- end -}}
{{- if .Values.techScan.enabled -}}
{{- $items = append $items (dict "component" "tech-scan" "name" (printf "%s-tech-scan" $full) "values" .Values.techScan "queues" (list "tech-scan")) -}}
{{- end -}}
{{- toYaml (dict "items" $items) -}}
{{- end -}}

{{/* Labels that select the pods of a workload. */}}
{{- define "trawl.podLabels" -}}
{{ include "trawl.selectorLabels" .root }}
app.kubernetes.io/component: {{ .item.component }}
{{- with .item.class }}
trawl-class: {{ . }}
{{- end }}
{{- end -}}
