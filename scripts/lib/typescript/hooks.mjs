// Hooks of Node's loader for TypeScript sources: node --import ./scripts/lib/typescript/register.mjs <file>.ts
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileSource } from './compile.mjs';
import { sourceCondition } from './options.mjs';

const withoutQuery = (url) => url.split(/[?#]/)[0];
const isSource = (url) =>
  url.startsWith('file:') && !url.includes('/node_modules/') && withoutQuery(url).endsWith('.ts');

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
    const url = new URL(specifier.replace(/\.js$/, '.ts'), parentURL);
    // What a module with a query imports beside it is another module too, as in another process.
    url.search ||= new URL(parentURL).search;
    if (isSource(url.href) && existsSync(fileURLToPath(url)))
      return { url: url.href, format: 'module', shortCircuit: true };
  }
  const resolved = await next(specifier, { ...context, conditions: [...conditions, sourceCondition] });
  if (parentURL !== undefined && isSource(parentURL) && resolved.url.includes('/node_modules/'))
    report({ library: resolved.url });
  return resolved;
};

export const load = (url, context, next) => {
  if (!isSource(url)) return next(url, context);
  const path = fileURLToPath(withoutQuery(url));
  report({ file: path });
  return { format: 'module', source: compileSource(path), shortCircuit: true };
};
