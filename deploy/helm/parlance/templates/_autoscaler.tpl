{{/* Replicas are added at once and removed slowly, because a call holds on to its replica for minutes. */}}
{{- define "parlance.scalingBehavior" -}}
behavior:
  scaleUp:
    stabilizationWindowSeconds: 0
    policies: [{ type: Percent, value: 100, periodSeconds: 30 }]
  scaleDown:
    stabilizationWindowSeconds: 300
    policies: [{ type: Pods, value: 1, periodSeconds: 60 }]
{{- end }}

{{/* Arguments: root, row, scaling. */}}
{{- define "parlance.autoscaler" -}}
{{- $root := index . 0 -}}{{- $row := index . 1 -}}{{- $scaling := index . 2 -}}
{{- $name := include "parlance.name" (list $root $row.name) }}
---
{{- if eq $scaling.by "hpa" }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
{{- else }}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
{{- end }}
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "parlance.labels" (list $root $row.name "process") | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
{{- if eq $scaling.by "hpa" }}
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ $scaling.targetPercent }} }
  {{- include "parlance.scalingBehavior" . | nindent 2 }}
{{- else }}
  minReplicaCount: {{ $scaling.minReplicas }}
  maxReplicaCount: {{ $scaling.maxReplicas }}
  advanced:
    horizontalPodAutoscalerConfig:
      {{- include "parlance.scalingBehavior" . | nindent 6 }}
  triggers:
    - type: prometheus
      metadata:
        serverAddress: {{ $root.Values.keda.prometheusAddress | quote }}
        query: {{ $scaling.query | quote }}
        threshold: {{ $scaling.threshold | quote }}
        # A query without an answer is an error and not 0. Without a fallback an error leaves the number of replicas as it is,
        # so a process that is too busy to be measured loses none.
        ignoreNullValues: "false"
{{- end }}
{{- end }}
