// Compiles one source file with swc, and keeps the result for later processes.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync, version } from '@swc/core';
import { swcOptions } from './options.mjs';
import { prune } from './prune.mjs';

const folder = fileURLToPath(new URL('../../../node_modules/.cache/parlance/typescript/', import.meta.url));
mkdirSync(folder, { recursive: true });
const settings = `${version}\0${JSON.stringify(swcOptions)}\0`;

const keyOf = (path, source) =>
  join(folder, createHash('sha256').update(`${settings}${path}\0${source}`).digest('hex').slice(0, 32));

const readIfThere = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** Several processes may write the same file; each reader sees all of it or none. */
const write = (file, text) => {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
};

/** The source map of a file as it is now, or undefined when it has not been compiled. */
export const sourceMapOf = (path) => {
  const source = readIfThere(path);
  const file = source === undefined ? undefined : `${keyOf(path, source)}.map`;
  return file !== undefined && existsSync(file) ? file : undefined;
};

/** The compiler says where an error is, and adds a stack of its own. */
const transform = (path, source) => {
  try {
    return transformSync(source, { ...swcOptions, filename: path, sourceMaps: true });
  } catch (error) {
    throw new SyntaxError(error.message.split('\n\nCaused by:')[0].trim());
  }
};

/** The JavaScript of a source file. @throws SyntaxError with the place of the error */
export const compileSource = (path) => {
  const source = readFileSync(path, 'utf8');
  const key = keyOf(path, source);
  const kept = readIfThere(`${key}.js`);
  if (kept !== undefined) return kept;
  const { code, map } = transform(path, source);
  // The folder grows only here.
  prune(folder);
  const compiled = `${code}\n//# sourceMappingURL=${pathToFileURL(`${key}.map`).href}\n`;
  write(`${key}.map`, map);
  write(`${key}.js`, compiled);
  return compiled;
};
