// The findings about clocks. Other checks read clocks as they look at their engines; this one judges their readings.
import { type ClockReading, defineCheck, type FindingKind, type Sighting } from '../probe/check.js';
import { judgeClocks, toleratedMs } from './judge.js';

const findings = {
  CLOCK_OF_THIS_MACHINE: {
    severity: 'broken',
    says: 'The clock of this machine is wrong.',
    advice:
      'Start a time service (chrony, systemd-timesyncd) on this machine. Signatures, tokens and deadlines are refused until then.',
  },
  CLOCK_OF_AN_ENGINE: {
    severity: 'broken',
    says: 'The clock of an engine differs from the clock of this machine.',
    advice: 'Start a time service (chrony, systemd-timesyncd) on the machine of the engine.',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

/** The check looks at nothing by itself: `clockFindings` makes its findings of the readings of the other checks. */
export const clocks = defineCheck({
  name: 'clocks',
  about: `Whether any clock differs by more than ${toleratedMs / 1_000} seconds: of this machine, or of an engine that tells the time.`,
  needs: [],
  findings,
  look: async () => undefined,
});

const inWords = (aheadMs: number): string =>
  `${Math.round(Math.abs(aheadMs) / 1_000)} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'}`;

export const clockFindings = (
  readings: readonly ClockReading[],
): readonly (Sighting & { readonly code: keyof typeof findings })[] =>
  judgeClocks(readings).map((verdict) =>
    verdict.kind === 'own'
      ? {
          code: 'CLOCK_OF_THIS_MACHINE',
          subject: 'this machine',
          seen: `${verdict.sources.join(' and ')} agree, and are ${inWords(verdict.aheadMs)} this machine.`,
        }
      : {
          code: 'CLOCK_OF_AN_ENGINE',
          subject: verdict.source,
          seen: `${verdict.source} is ${inWords(verdict.aheadMs)} this machine.`,
        },
  );
