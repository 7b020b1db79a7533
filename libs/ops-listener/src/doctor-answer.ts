// The report of the doctor, for GET /doctor: one look at a time, whose report is good for a few seconds. A look asks every
// engine, so that a caller without patience must not multiply it.
import type { Answers } from './answers.js';

const goodForMs = 10_000;

/** @param env as the process has parsed it */
export const doctorOf = (service: string, env: object): Answers['doctor'] => {
  let latest: { readonly report: Promise<object>; readonly endedAt: () => number | undefined } | undefined;
  const look = (): Promise<object> => {
    let endedAt: number | undefined;
    // The doctor loads the clients of all engines, which most processes do without.
    const report = import('@parlance/doctor')
      .then(({ ownLook }) => ownLook(service, env))
      .finally(() => {
        endedAt = performance.now();
      });
    latest = { report, endedAt: () => endedAt };
    return report;
  };
  return () => {
    const endedAt = latest?.endedAt();
    const isGood = latest !== undefined && (endedAt === undefined || performance.now() - endedAt < goodForMs);
    return isGood && latest !== undefined ? latest.report : look();
  };
};
