// How Kubernetes asks a process how it is.
import type { Process } from '@parlance/compose';
import type { IContainer, IProbe } from 'kubernetes-models/v1';
import { opsPort, type Workload } from '../workloads/workload.js';

/** Whether a process has the listener for operators; one without it is asked as docker-compose.yml does. */
export const hasOpsListener = ({ env }: Process): boolean => 'OPS_PORT' in env.shape;

const onOps = (path: string) => ({ httpGet: { path, port: opsPort.name } });

interface Questions {
  readonly started: Pick<IProbe, 'httpGet' | 'exec'>;
  readonly ready: Pick<IProbe, 'httpGet' | 'exec'>;
  readonly alive: Pick<IProbe, 'httpGet' | 'exec'>;
}

const questions = ({ name, port }: Workload, process: Process): Questions => {
  if (hasOpsListener(process))
    return { started: onOps('/startupz'), ready: onOps('/readyz'), alive: onOps('/livez') };
  if (port === undefined) {
    const health = { exec: { command: ['/app/deploy/image/entrypoint.sh', 'health', name] } };
    return { started: health, ready: health, alive: { exec: { command: ['true'] } } };
  }
  const on = (path: string) => ({ httpGet: { path, port: port.name } });
  return name === 'gateway'
    ? { started: on('/api/v1/health'), ready: on('/api/v1/ready'), alive: on('/api/v1/health') }
    : { started: on('/health'), ready: on('/health'), alive: on('/health') };
};

/**
 * Start-up may take five minutes, because migrations run in it. A copy that does not serve leaves the Service after ten seconds.
 * One that does not answer at all for a minute is started anew; a missing engine never is a reason for that.
 */
export const probesOf = (
  workload: Workload,
  process: Process,
): Pick<IContainer, 'startupProbe' | 'readinessProbe' | 'livenessProbe'> => {
  const { started, ready, alive } = questions(workload, process);
  return {
    startupProbe: { ...started, periodSeconds: 2, failureThreshold: 150, timeoutSeconds: 2 },
    readinessProbe: { ...ready, periodSeconds: 5, failureThreshold: 2, timeoutSeconds: 3 },
    livenessProbe: { ...alive, periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 5 },
  };
};
