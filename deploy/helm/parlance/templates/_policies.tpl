{{/* The head of a network policy up to its rules. Arguments: root, name, pod selector (YAML), types. */}}
{{- define "parlance.policy" }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "parlance.name" (list (index . 0) (index . 1)) }}
  namespace: {{ (index . 0).Release.Namespace }}
  labels:
    {{- include "parlance.releaseLabels" (index . 0) | nindent 4 }}
spec:
  podSelector: {{ index . 2 }}
  policyTypes: {{ index . 3 }}
{{- end }}

{{/* Pods with the label of a destination, which pods of an operator may have too. Arguments: root, destination. */}}
{{- define "parlance.reaching" -}}
{ matchLabels: { reaches-{{ index . 1 }}: "yes"{{ if include "parlance.prefix" (index . 0) }}, app.kubernetes.io/instance: {{ (index . 0).Release.Name }}{{ end }} } }
{{- end }}

{{/* Pods by their name. Arguments: root, name. */}}
{{- define "parlance.named" -}}
{ matchLabels: { {{ include "parlance.selector" . }} } }
{{- end }}

{{/* Every address that is not in a private or link-local range, and no IPv6 address that embeds an IPv4 one (Teredo, 6to4). */}}
{{- define "parlance.internet" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: {{ toJson .Values.networkPolicy.notInternet }}
- ipBlock: { cidr: "2000::/3", except: ["2001::/32", "2002::/16"] }
{{- end }}
