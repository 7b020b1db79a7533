// Hooks of Node's loader for TypeScript sources: node --import ./scripts/lib/typescript/register.mjs <file>.ts
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileSource } from './compile.mjs';
import { sourceCondition } from './options.mjs';

const isSource = (url) => /\.ts$/.test(url) && url.startsWith('file:') && !url.includes('/node_modules/');

let reports;

/** @param data.reports port that gets each source file that is loaded, and each package that one of them imports */
export const initialize = (data) => {
  reports = data?.reports;
  reports?.unref();
};

const reported = new Set();
const report = (message) => {
  const key = JSON.stringify(message);
  if (reports === undefined || reported.has(key)) return;
  reported.add(key);
  reports.postMessage(message);
};

export const resolve = async (specifier, context, next) => {
  const { parentURL, conditions } = context;
  if (parentURL !== undefined && isSource(parentURL) && /^\.\.?\//.test(specifier)) {
    // Sources name the compiled module.
    const url = new URL(specifier.replace(/\.js$/, '.ts'), parentURL).href;
    if (isSource(url) && existsSync(fileURLToPath(url))) return { url, format: 'module', shortCircuit: true };
  }
  const resolved = await next(specifier, { ...context, conditions: [...conditions, sourceCondition] });
  if (parentURL !== undefined && isSource(parentURL) && resolved.url.includes('/node_modules/'))
    report({ library: resolved.url });
  return resolved;
};

export const load = (url, context, next) => {
  const [address] = url.split(/[?#]/);
  if (!isSource(address)) return next(url, context);
  const path = fileURLToPath(address);
  report({ file: path });
  return { format: 'module', source: compileSource(path), shortCircuit: true };
};
