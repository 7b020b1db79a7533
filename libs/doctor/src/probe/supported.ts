// The finding of an engine that is older than the supported versions, from the one list of them.
import { type Engine, isSupported, supportedFrom } from '@parlance/observability';
import type { FindingKind } from './check.js';

export const tooOld = (engine: Engine): FindingKind => ({
  severity: 'broken',
  says: `${engine} is older than ${supportedFrom[engine]}, the oldest version that is supported.`,
  advice: `Upgrade ${engine}.`,
  link: 'docs/real-engines.md',
});

/** The evidence of a version that is too old; undefined for one that is supported or not known. */
export const seenTooOld = (engine: Engine, version: string | undefined): string | undefined =>
  version === undefined || isSupported(engine, version) ? undefined : `It says that it is ${version}.`;
