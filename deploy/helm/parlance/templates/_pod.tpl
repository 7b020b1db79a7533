{{/*
The environment of a process or job: an entry of files/services.json is a value, a key of the Secret, the address of a
process, or an address of an engine with a user and a password. Kubernetes puts variables that come before into $(NAME).
Arguments: root, entries.
*/}}
{{- define "parlance.env" -}}
{{- $root := index . 0 -}}
{{- $secret := include "parlance.secretName" $root -}}
{{- $engines := include "parlance.enginesName" $root -}}
{{- $names := list -}}
{{- range index . 1 }}
{{- if .scheme }}
{{- $user := hasKey . "user" | ternary .user $root.Values.eventStoreUser }}
{{- /* Users of the event store are made with its cluster, so their password is no derived one. */ -}}
{{- $isDerived := and $root.Values.rootSecret (hasKey . "user") }}
{{- if and $user (not $isDerived) }}
- name: {{ .password }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ .key }} } }
{{- end }}
- name: {{ .address }}
  valueFrom: { configMapKeyRef: { name: {{ $engines }}, key: {{ .address }} } }
- name: {{ .name }}
{{- if not $user }}
  value: {{ .scheme }}://$({{ .address }})
{{- else if $isDerived }}
  value: {{ .scheme }}://{{ $user }}:@$({{ .address }})
{{- else }}
  value: {{ .scheme }}://{{ $user }}:$({{ .password }})@$({{ .address }})
{{- end }}
{{- else if .secret }}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ .secret }}{{ if ternary (ne .secret "ROOT_SECRET") (default false .optional) $root.Values.rootSecret }}, optional: true{{ end }} } }
{{- else if .process }}
- name: {{ .name }}
  value: http://{{ include "parlance.name" (list $root .process) }}:{{ .port }}
{{- else }}
- name: {{ .name }}
  value: {{ .value | quote }}
{{- end }}
{{- $names = append $names .name }}
{{- end }}
{{- if and $root.Values.rootSecret (not (has "ROOT_SECRET" $names)) }}
- name: ROOT_SECRET
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: ROOT_SECRET } }
{{- end }}
{{- end }}

{{/* Settings and addresses of engines; a change of them starts the pods anew. Argument: root. */}}
{{- define "parlance.envFrom" -}}
- configMapRef: { name: {{ include "parlance.settingsName" . }} }
- configMapRef: { name: {{ include "parlance.enginesName" . }} }
{{- end }}

{{- define "parlance.checksum" -}}
checksum/config: {{ printf "%s%s" (include "parlance.settings" .) (toYaml .Values.engines) | sha256sum }}
{{- end }}

{{/* As the Pod Security Standard "restricted" wants it. Argument: readOnlyRootFilesystem. */}}
{{- define "parlance.securityContext" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: {{ . }}
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Arguments: user, group. */}}
{{- define "parlance.podSecurityContext" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ index . 0 }}
  runAsGroup: {{ index . 1 }}
  fsGroup: {{ index . 1 }}
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* The annotations and labels of a pod. Arguments: root, row, component, options. */}}
{{- define "parlance.podMetadata" -}}
{{- $root := index . 0 -}}{{- $row := index . 1 -}}{{- $options := index . 3 -}}
annotations:
  {{- include "parlance.checksum" $root | nindent 2 }}
  {{- with $options.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
labels:
  {{- include "parlance.labels" (list $root $row.name (index . 2)) | nindent 2 }}
  {{- range $row.reaches }}
  reaches-{{ . }}: "yes"
  {{- end }}
  {{- with $options.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* The fields of a pod around its containers. Arguments: root, name, options. */}}
{{- define "parlance.podFields" -}}
{{- $root := index . 0 -}}{{- $options := index . 2 -}}
serviceAccountName: {{ include "parlance.name" (list $root (index . 1)) }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $options.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $options.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $options.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $options.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{ include "parlance.podSecurityContext" (list 1000 1000) }}
{{- end }}

{{/* Image, file system and mounts of a container of ours. Arguments: root, options, and the row of a runtime. */}}
{{- define "parlance.container" -}}
{{- $root := index . 0 -}}
image: {{ include "parlance.image" . | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
{{ include "parlance.securityContext" true }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: authorities, mountPath: /etc/parlance/authorities, readOnly: true }
  {{- with (index . 1).extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Arguments: root, row, options. */}}
{{- define "parlance.volumes" -}}
volumes:
  - { name: tmp, emptyDir: { sizeLimit: {{ (index . 1).scratch }} } }
  - { name: authorities, secret: { secretName: {{ include "parlance.authoritiesName" (index . 0) }}, optional: true } }
  {{- with (index . 2).extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Arguments: root, name, component, options, annotations. */}}
{{- define "parlance.serviceAccount" -}}
{{- $account := (index . 3).serviceAccount -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "parlance.name" (list (index . 0) (index . 1)) }}
  namespace: {{ (index . 0).Release.Namespace }}
  labels:
    {{- include "parlance.labels" (list (index . 0) (index . 1) (index . 2)) | nindent 4 }}
    {{- with $account.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with mergeOverwrite (deepCopy (index . 4)) ($account.annotations | default dict) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end }}
