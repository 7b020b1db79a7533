// Calls back when one of the files changes that a process has loaded. Editors replace files, so their folders are watched.
import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';

const versionOf = (path: string): string => {
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return 'gone';
  }
};

export class SourceWatch {
  readonly #versions = new Map<string, string>();
  readonly #folders = new Map<string, FSWatcher>();
  readonly #changed: (path: string) => void;

  constructor(changed: (path: string) => void) {
    this.#changed = changed;
  }

  add(path: string): void {
    this.#versions.set(path, versionOf(path));
    const folder = dirname(path);
    if (this.#folders.has(folder)) return;
    const watcher = watch(folder, (_, name) => name !== null && this.#look(join(folder, name)));
    // A folder that is deleted ends its watch; what imported from it changes too.
    watcher.on('error', () => undefined);
    this.#folders.set(folder, watcher);
  }

  stop(): void {
    for (const watcher of this.#folders.values()) watcher.close();
  }

  #look(path: string): void {
    const known = this.#versions.get(path);
    const version = versionOf(path);
    // Editors delete a file for a moment while they save it.
    if (known === undefined || version === known || version === 'gone') return;
    this.#versions.set(path, version);
    this.#changed(path);
  }
}
