// Hooks of Node's loader for TypeScript sources: node --import ./scripts/lib/typescript/register.mjs <file>.ts
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileSource } from './compile.mjs';
import { sourceCondition } from './options.mjs';

const isSource = (url) => /\.ts$/.test(url) && url.startsWith('file:') && !url.includes('/node_modules/');

let reports;

/** @param data.reports port that gets the path of each source file that is loaded */
export const initialize = (data) => {
  reports = data?.reports;
  reports?.unref();
};

export const resolve = (specifier, context, next) => {
  const { parentURL, conditions } = context;
  if (parentURL !== undefined && isSource(parentURL) && /^\.\.?\//.test(specifier)) {
    // Sources name the compiled module.
    const url = new URL(specifier.replace(/\.js$/, '.ts'), parentURL).href;
    if (isSource(url) && existsSync(fileURLToPath(url))) return { url, format: 'module', shortCircuit: true };
  }
  return next(specifier, { ...context, conditions: [...conditions, sourceCondition] });
};

export const load = (url, context, next) => {
  const [address] = url.split(/[?#]/);
  if (!isSource(address)) return next(url, context);
  const path = fileURLToPath(address);
  reports?.postMessage(path);
  return { format: 'module', source: compileSource(path), shortCircuit: true };
};
