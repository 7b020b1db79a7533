{{/* Names and labels. A release with the name `parlance` has the bare names of processes, such as `gateway`. */}}

{{- define "parlance.registry" -}}
{{ .Files.Get "files/services.json" }}
{{- end }}

{{- define "parlance.prefix" -}}
{{- if kindIs "string" .Values.namePrefix -}}{{ .Values.namePrefix }}
{{- else if ne .Release.Name "parlance" -}}{{ .Release.Name }}-
{{- end -}}
{{- end }}

{{/* The name of an object. Arguments: root, name. */}}
{{- define "parlance.name" -}}
{{- printf "%s%s" (include "parlance.prefix" (index . 0)) (index . 1) | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "parlance.secretName" -}}{{ .Values.existingSecret | default .Release.Name }}{{- end }}
{{- define "parlance.authoritiesName" -}}{{ .Values.authoritiesSecret | default (printf "%s-authorities" .Release.Name) }}{{- end }}
{{- define "parlance.settingsName" -}}{{ .Release.Name }}{{- end }}
{{- define "parlance.enginesName" -}}{{ .Release.Name }}-engines{{- end }}

{{/* `calls-logs` is `callsLogs` among the values. */}}
{{- define "parlance.key" -}}{{ . | camelcase | untitle }}{{- end }}

{{/* Arguments: root, name, component. */}}
{{- define "parlance.labels" -}}
app.kubernetes.io/name: {{ include "parlance.name" (list (index . 0) (index . 1)) }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 2 }}
app.kubernetes.io/part-of: parlance
{{- with (index . 0).Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Of objects that belong to no process. */}}
{{- define "parlance.releaseLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: parlance
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Selectors of Deployments cannot be changed, so they have this label alone. */}}
{{- define "parlance.selector" -}}
app.kubernetes.io/name: {{ include "parlance.name" . }}
{{- end }}

{{/* A runtime may have an image of its own. Arguments: root, options, and the row of a runtime. */}}
{{- define "parlance.image" -}}
{{- $root := index . 0 -}}
{{- $image := deepCopy $root.Values.image -}}
{{- $own := get (last .) "image" -}}
{{- if and (eq (len .) 3) $own -}}
{{- $image = mergeOverwrite (omit $image "digest") (dict "repository" (printf "%s-%s" $image.repository $own)) ((index . 1).image | default dict) -}}
{{- end -}}
{{- if $image.digest -}}{{ printf "%s@%s" $image.repository $image.digest }}
{{- else -}}{{ printf "%s:%s" $image.repository ($image.tag | default $root.Chart.AppVersion) }}
{{- end -}}
{{- end }}

{{/* A Job cannot be changed, so each release has its own. */}}
{{- define "parlance.jobName" -}}
{{- $name := include "parlance.name" . -}}
{{- if (index . 0).Values.helmHooks }}{{ printf "%s-%d" $name (index . 0).Release.Revision }}{{ else }}{{ $name }}{{ end -}}
{{- end }}
