{{/*
The values that apply to one process or job: those of `processes.<name>`, over those of all. Maps are merged, `extra` lists
are joined, other lists are replaced. Arguments: root, name. Result: JSON.
*/}}
{{- define "parlance.options" -}}
{{- $values := (index . 0).Values -}}
{{- $own := get $values.processes (include "parlance.key" (index . 1)) | default dict -}}
{{- $result := deepCopy $own -}}
{{- range $field := list "podAnnotations" "podLabels" "nodeSelector" -}}
{{- $_ := set $result $field (mergeOverwrite (deepCopy (get $values $field)) (get $own $field | default dict)) -}}
{{- end -}}
{{- range $field := list "extraEnv" "extraEnvFrom" "extraVolumes" "extraVolumeMounts" -}}
{{- $_ := set $result $field (concat (get $values $field) (get $own $field | default list)) -}}
{{- end -}}
{{- range $field := list "tolerations" "affinity" "priorityClassName" "topologySpreadConstraints" -}}
{{- if not (hasKey $own $field) -}}{{- $_ := set $result $field (get $values $field) -}}{{- end -}}
{{- end -}}
{{- $account := get $own "serviceAccount" | default dict -}}
{{- $_ := set $result "serviceAccount" (mergeOverwrite (deepCopy $values.serviceAccount) $account) -}}
{{ toJson $result }}
{{- end }}

{{/*
The autoscaler of a process: `hpa`, `keda` or nothing, with its bounds. Arguments: root, row, options. Result: JSON.
*/}}
{{- define "parlance.scaling" -}}
{{- $values := (index . 0).Values -}}
{{- $row := index . 1 -}}
{{- $own := (index . 2).autoscaling | default dict -}}
{{- $scaling := mergeOverwrite (deepCopy ($row.scaling | default dict)) $own -}}
{{- $target := $own.targetCPUUtilizationPercentage | default $scaling.targetPercent -}}
{{- $isOff := false -}}
{{- if hasKey $own "enabled" -}}{{- $isOff = not $own.enabled -}}{{- end -}}
{{- if $isOff -}}{}
{{- else if and (eq ($scaling.metric | default "") "prometheus") (not $own.targetCPUUtilizationPercentage) $values.keda.enabled -}}
{{ toJson (set $scaling "by" "keda") }}
{{- else if and $target (or $own.enabled $values.autoscaling.enabled) -}}
{{- if or (not $scaling.minReplicas) (not $scaling.maxReplicas) -}}
{{- fail (printf "processes.%s.autoscaling needs minReplicas and maxReplicas" (include "parlance.key" $row.name)) -}}
{{- end -}}
{{ toJson (mergeOverwrite $scaling (dict "by" "hpa" "targetPercent" $target)) }}
{{- else if $own.enabled -}}
{{- fail (printf "processes.%s.autoscaling needs targetCPUUtilizationPercentage" (include "parlance.key" $row.name)) -}}
{{- else -}}{}
{{- end -}}
{{- end }}

{{/* Values that the schema cannot judge: names of processes, and settings without which a process does not start. */}}
{{- define "parlance.validate" -}}
{{- $registry := include "parlance.registry" . | fromJson -}}
{{- $keys := list -}}
{{- range concat $registry.processes $registry.runtimes $registry.jobs -}}{{- $keys = append $keys (include "parlance.key" .name) -}}{{- end -}}
{{- range $key := keys .Values.processes | sortAlpha -}}
{{- if not (has $key $keys) -}}
{{- fail (printf "processes.%s: there is no process or job with this name; the names are %s" $key (join ", " $keys)) -}}
{{- end -}}
{{- end -}}
{{- $settings := include "parlance.settings" . | fromYaml -}}
{{- range $name := $registry.requiredSettings -}}
{{- if not (or (get $settings $name) $.Values.rootSecret) -}}{{- fail (printf "settings.%s has no value, and processes do not start without it" $name) -}}{{- end -}}
{{- end -}}
{{- range $name := $registry.requiredEngines -}}
{{- if not (get $.Values.engines $name) -}}{{- fail (printf "engines.%s has no value, and processes do not start without it" $name) -}}{{- end -}}
{{- end -}}
{{- range $name := $registry.secrets -}}
{{- if or (hasKey $settings $name) (hasKey $.Values.engines $name) -}}
{{- fail (printf "%s is a secret: put it into the Secret %s, and not among the values" $name (include "parlance.secretName" $)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The data of the ConfigMap of settings. A value may be a template. Result: YAML. */}}
{{- define "parlance.settings" -}}
{{- $url := printf "https://%s" .Values.host -}}
{{- $gateway := include "parlance.name" (list . "gateway") -}}
{{- $defaults := dict "PUBLIC_URL" $url "WIDGET_BASE_URL" $url "RUNTIME_BASE_URL" (printf "http://%s.%s.svc:4710" $gateway .Release.Namespace) -}}
{{- /* A root secret brings its own; an id beside a derived key would name another one. */ -}}
{{- if not .Values.rootSecret -}}
{{- $defaults = merge $defaults (dict "KEK_ID" "kek-1" "LIVEKIT_API_KEY" "parlance" "OBJECT_STORAGE_ACCESS_KEY_ID" "parlance") -}}
{{- end -}}
{{- if ((.Values.processes).speech).enabled -}}
{{- $defaults = merge $defaults (dict "SPEECH_URL" (printf "http://%s:4760/v1" (include "parlance.name" (list . "speech")))) -}}
{{- end -}}
{{- range $name, $value := mergeOverwrite $defaults .Values.settings }}
{{ $name }}: {{ tpl $value $ | quote }}
{{- end }}
{{- end }}
