{{- define "docstead.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "docstead.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "docstead.labels" -}}
{{ include "docstead.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* What `docstead host` reads; it holds a signed link, so it is a secret. */}}
{{- define "docstead.configuration" -}}
deploymentType: {{ .Values.deploymentType }}
features: {{ toJson .Values.features }}
basePath: {{ .Values.basePath | quote }}
connectSources: {{ toJson .Values.connectSources }}
staticExport:
  enabled: true
  bundleUrl: {{ .Values.staticExport.bundleUrl | quote }}
  version: {{ .Values.staticExport.version | quote }}
  sha256: {{ .Values.staticExport.sha256 | quote }}
  allowedNetworks: {{ toJson .Values.staticExport.allowedNetworks }}
{{- end -}}

{{/* The service takes the same two values as settings. */}}
{{- define "docstead.features" -}}
{{- $chosen := list -}}
{{- range $name, $on := .Values.features -}}
{{- $chosen = append $chosen (printf "%s=%s" $name (ternary "on" "off" $on)) -}}
{{- end -}}
{{- join "," $chosen -}}
{{- end -}}

{{/*
Several nodes without shared stores would each publish for themselves, with keys of their own.
Names in `existingSecret` are looked up where there is a cluster to ask.
*/}}
{{- define "docstead.checkReplicas" -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.staticExport.enabled) -}}
{{- $secret := dict -}}
{{- if .Values.existingSecret -}}
{{- $secret = lookup "v1" "Secret" .Release.Namespace .Values.existingSecret -}}
{{- end -}}
{{- $isKnown := or (not .Values.existingSecret) $secret -}}
{{- $names := concat (keys .Values.settings) (keys (get $secret "data" | default dict)) -}}
{{- range $name := list "DOCSTEAD_DATABASE_URL" "DOCSTEAD_S3_BUCKET" "DOCSTEAD_SECRET" -}}
{{- if and $isKnown (not (has $name $names)) -}}
{{- fail (printf "replicas: several nodes need %s, the same for all, in settings or existingSecret" $name) -}}
{{- end -}}
{{- end -}}
{{- if hasPrefix "sqlite" (get .Values.settings "DOCSTEAD_DATABASE_URL" | default "") -}}
{{- fail "replicas: SQLite belongs to one node; several need PostgreSQL in DOCSTEAD_DATABASE_URL" -}}
{{- end -}}
{{- end -}}
{{- end -}}
