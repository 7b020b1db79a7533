// The built files of the website widget, read once and kept in memory: half a megabyte, and each compressed beforehand.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError } from '@parlance/errors';
import { z } from 'zod';
import { contentTypeOf, type Encoding, encodings, type StaticFile } from '../http/static-file.js';

const Manifest = z.object({
  version: z.string(),
  files: z.array(z.object({ path: z.string(), integrity: z.string() })),
});

/** Its integrity is written as the attribute `integrity` wants it. */
export interface WidgetFile extends StaticFile {
  readonly path: string;
}

export interface WidgetFiles {
  readonly version: string;
  readonly byPath: ReadonlyMap<string, WidgetFile>;
}

/** @param bodies the contents, compressed in each way */
export const fileOf = (
  { path, integrity }: { readonly path: string; readonly integrity: string },
  bodies: WidgetFile['bodies'],
): WidgetFile => ({
  ...{ path, integrity, bodies },
  contentType: contentTypeOf(path),
});

const require = createRequire(import.meta.url);

/** @throws AppError SERVICE_UNAVAILABLE in a checkout that was not built whole */
export const readWidgetFiles = (): WidgetFiles => {
  try {
    const manifest = require.resolve('@parlance/widget/served/manifest.json');
    const folder = dirname(manifest);
    const { version, files } = Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')));
    const read = (path: string, encoding: Encoding): Buffer =>
      readFileSync(join(folder, `${path}${encodings[encoding]}`));
    const bodiesOf = (path: string): WidgetFile['bodies'] => ({
      br: read(path, 'br'),
      gzip: read(path, 'gzip'),
      identity: read(path, 'identity'),
    });
    const all = files.map((file) => [file.path, fileOf(file, bodiesOf(file.path))] as const);
    return { version, byPath: new Map(all) };
  } catch (cause) {
    throw new AppError('SERVICE_UNAVAILABLE', { cause });
  }
};
