// The releases that may work on a schema that another one has migrated: those that are one release ahead or behind.
import type { Phase } from './migration-files.js';

/** A row of `schema_migrations`. The last three are null where code from before the marks applied it. */
export interface Applied {
  readonly name: string;
  readonly checksum: string;
  readonly phase: Phase | null;
  readonly release: string | null;
  /** Place of the release in the list of releases, from 0. */
  readonly release_number: number | null;
}

export interface Judged {
  readonly applied: readonly Applied[];
  /** Names of the migrations that this release has. */
  readonly known: ReadonlySet<string>;
  /** Versions of the releases up to this one. */
  readonly releases: readonly string[];
}

/**
 * @throws Error with the release to start instead, when a release has migrated the schema that is too new for this one
 */
export const refuseTooOld = ({ applied, known, releases }: Judged): void => {
  const own = releases.length - 1;
  const beyond = applied.find(({ name, phase, release_number: place }) => {
    if (place === null || place <= own || known.has(name)) return false;
    return phase === 'contract' || place > own + 1;
  });
  if (beyond === undefined) return;
  throw new Error(
    `release ${releases[own]} cannot work on this schema any more, because release ${beyond.release} has applied its ` +
      `migration ${beyond.name} (${beyond.phase}): start release ${beyond.release}, or restore a backup from before it`,
  );
};
