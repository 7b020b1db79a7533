// Removes what nobody has used for weeks from a folder of kept files.
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dayMs = 86_400_000;
const keptForMs = 30 * dayMs;
const marker = '.pruned';

/** Another process may be pruning, so that a file is gone already. */
const timesOf = (path) => statSync(path, { throwIfNoEntry: false });

/**
 * A file counts as used when it is written, and when it is read where the file system records that. Does nothing when the
 * folder was pruned on the same day.
 */
export const prune = (folder, now = new Date()) => {
  const done = join(folder, marker);
  if (now - (timesOf(done)?.mtimeMs ?? 0) < dayMs) return;
  writeFileSync(done, '');
  utimesSync(done, now, now);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const times = timesOf(path);
    if (times !== undefined && now - Math.max(times.atimeMs, times.mtimeMs) > keptForMs)
      rmSync(path, { force: true });
  }
};
