// Node's loader for TypeScript sources. Its hooks run in the thread that imports: in a thread of their own every module would be copied
// there and back, and Node would keep no compiled code of it.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileSource } from './compile.mjs';
import { sourceCondition } from './options.mjs';

const withoutQuery = (url) => url.split(/[?#]/)[0];
const isSource = (url) =>
  url.startsWith('file:') && !url.includes('/node_modules/') && withoutQuery(url).endsWith('.ts');

/** The source that a source names as a compiled module beside it; undefined when it names something else. */
const besideIt = (specifier, parentURL) => {
  if (parentURL === undefined || !isSource(parentURL) || !/^\.\.?\//.test(specifier)) return undefined;
  const url = new URL(specifier.replace(/\.js$/, '.ts'), parentURL);
  // What a module with a query imports beside it is another module too, as in another process.
  url.search ||= new URL(parentURL).search;
  return isSource(url.href) && existsSync(fileURLToPath(url)) ? url.href : undefined;
};

/**
 * Lets this process import the TypeScript sources of the workspaces.
 * @param report gets once each source file that is loaded, and each package that one of them imports
 */
export const registerSources = (report = () => undefined) => {
  const reported = new Set();
  const reportOnce = (message) => {
    const key = JSON.stringify(message);
    if (reported.has(key)) return;
    reported.add(key);
    report(message);
  };
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL, conditions } = context;
      const source = besideIt(specifier, parentURL);
      if (source !== undefined) return { url: source, format: 'module', shortCircuit: true };
      const resolved = next(specifier, { ...context, conditions: [...conditions, sourceCondition] });
      if (parentURL !== undefined && isSource(parentURL) && resolved.url.includes('/node_modules/'))
        reportOnce({ library: resolved.url });
      return resolved;
    },
    load: (url, context, next) => {
      if (!isSource(url)) return next(url, context);
      const path = fileURLToPath(withoutQuery(url));
      reportOnce({ file: path });
      return { format: 'module', source: compileSource(path), shortCircuit: true };
    },
  });
};
