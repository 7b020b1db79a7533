// Measurements of every process: memory, and the states of its readiness report.
import { dependencyUp, memory, observe, ready, troubledParts } from '@parlance/metrics';
import type { ReadinessReport } from '@parlance/observability';

/** @returns a function that ends it */
export const observeProcess = (service: string, report: () => ReadinessReport | undefined): (() => void) => {
  const process_ = { 'parlance.process': service };
  const ends = [
    observe(memory, () => [[process.memoryUsage.rss(), {}]]),
    observe(ready, () => [[report()?.ready === true ? 1 : 0, process_]]),
    observe(dependencyUp, () =>
      Object.entries(report()?.checks ?? {})
        .filter(([, { status }]) => status !== 'skipped')
        .map(([name, { status, required }]) => [
          status === 'up' ? 1 : 0,
          {
            ...process_,
            'parlance.dependency': name,
            'parlance.dependency.need': required ? 'required' : 'optional',
          },
        ]),
    ),
    observe(troubledParts, () => [[report()?.troubles?.length ?? 0, process_]]),
  ];
  return () => {
    for (const end of ends) end();
  };
};
