// The built files of the console, read once and kept in memory, each compressed beforehand.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError } from '@parlance/errors';
import { z } from 'zod';
import { contentTypeOf, type Encoding, encodings, type StaticFile } from '../http/static-file.js';

const Manifest = z.object({ files: z.array(z.object({ path: z.string(), integrity: z.string() })) });

/** The page that every address of the console answers. */
const page = 'index.html';

export interface ConsoleFiles {
  readonly page: StaticFile;
  /** Files by the path under the root of the server, such as `/console-assets/index-1a2b3c.js`. */
  readonly assets: ReadonlyMap<string, StaticFile>;
}

const require = createRequire(import.meta.url);

const readAll = (): ReadonlyMap<string, StaticFile> => {
  const manifest = require.resolve('@parlance/console/served/manifest.json');
  const { files } = Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  const read = (path: string, encoding: Encoding): Buffer =>
    readFileSync(join(dirname(manifest), `${path}${encodings[encoding]}`));
  const fileOf = (path: string, integrity: string): StaticFile => ({
    integrity,
    contentType: contentTypeOf(path),
    bodies: { br: read(path, 'br'), gzip: read(path, 'gzip'), identity: read(path, 'identity') },
  });
  return new Map(files.map(({ path, integrity }) => [path, fileOf(path, integrity)] as const));
};

/** @throws AppError SERVICE_UNAVAILABLE in a checkout that was not built whole */
export const readConsoleFiles = (): ConsoleFiles => {
  try {
    const files = readAll();
    const found = files.get(page);
    if (found === undefined) throw new Error(`the console was built without ${page}`);
    const assets = [...files]
      .filter(([path]) => path !== page)
      .map(([path, file]) => [`/${path}`, file] as const);
    return { page: found, assets: new Map(assets) };
  } catch (cause) {
    throw new AppError('SERVICE_UNAVAILABLE', { cause });
  }
};
