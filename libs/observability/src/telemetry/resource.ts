// The description of a process in its traces and metrics. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win over the words of this file.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Resources from '@opentelemetry/resources';
import type { TelemetryEnv } from '@parlance/config';

/** Tells copies of a process apart at a collector: their counts would otherwise be one series that jumps. */
const instanceId = randomUUID();

export const resourceOf = (service: string, env: TelemetryEnv): Resources.Resource => {
  const load = createRequire(import.meta.url);
  const { detectResources, envDetector, resourceFromAttributes } = load(
    '@opentelemetry/resources',
  ) as typeof Resources;
  const version = env.SERVICE_VERSION === undefined ? {} : { 'service.version': env.SERVICE_VERSION };
  return resourceFromAttributes({
    'service.name': env.OTEL_SERVICE_NAME ?? service,
    'service.instance.id': instanceId,
    ...version,
  }).merge(detectResources({ detectors: [envDetector] }));
};
