// The probes: Kubernetes asks each process for its health, on its ops listener.
import type { IContainer } from 'kubernetes-models/v1';
import { opsPort } from '../workloads/workload.js';

const ask = (path: string) => ({ httpGet: { path, port: opsPort.name } });

/**
 * Start-up may take five minutes, because migrations run in it. A copy that does not serve leaves the Service after ten seconds.
 * One that does not answer at all for a minute is started anew; a missing engine never is a reason for that.
 */
export const probes: Pick<IContainer, 'startupProbe' | 'readinessProbe' | 'livenessProbe'> = {
  startupProbe: { ...ask('/startupz'), periodSeconds: 2, failureThreshold: 150, timeoutSeconds: 2 },
  readinessProbe: { ...ask('/readyz'), periodSeconds: 5, failureThreshold: 2, timeoutSeconds: 3 },
  livenessProbe: { ...ask('/livez'), periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 5 },
};
