// The files of this version, as the build writes them into the script: where they lie, and the hash of each.

export interface ServedFiles {
  readonly version: string;
  /** SRI hashes by path below the version's folder. */
  readonly integrity: Readonly<Record<string, string>>;
}

declare global {
  /** Replaced by the build. */
  const PARLANCE_WIDGET_FILES: ServedFiles;
}

export const files: ServedFiles = PARLANCE_WIDGET_FILES;

export const urlOf = (path: string, server: string): string =>
  new URL(`/widget/${files.version}/${path}`, server).href;
