// Labels by which pods are let through: `reaches-nats: "yes"` on a pod, and one policy for all pods that have it.
import type { Destination } from '../workloads/workload.js';

export const reachLabel = (destination: Destination): Record<string, string> => ({
  [`reaches-${destination}`]: 'yes',
});

export const reachLabels = (destinations: readonly Destination[]): Record<string, string> =>
  Object.assign({}, ...destinations.map(reachLabel));
