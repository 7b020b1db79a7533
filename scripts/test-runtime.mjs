// The loader of modules for test files. Jest reads every module anew for each test file. With this project's libraries that
// is most of the work of a short file. Here a worker loads a library (all below node_modules) once, like Node. The project's
// own modules stay new for each test file. Libraries and tests share one realm for this, so that `instanceof` holds across
// both: see test-environment.mjs.
//
// Jest has no option for it. This class replaces four methods of jest-runtime, which is pinned for this reason; a change of
// them fails in test-runtime.spec.ts.
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction, SyntheticModule } from 'node:vm';
import JestRuntime from 'jest-runtime';

const requireNatively = createRequire(import.meta.url);
const isLibrary = (path) => path.includes(`${sep}node_modules${sep}`) && !path.endsWith('.json');

const moduleOf = async (identifier, namespace) => {
  const module = new SyntheticModule(
    Object.keys(namespace),
    () => {
      for (const [name, value] of Object.entries(namespace)) module.setExport(name, value);
    },
    { identifier },
  );
  // Newer versions of Node link such a module when it is made.
  if (module.status === 'unlinked') await module.link(() => undefined);
  await module.evaluate();
  return module;
};

/** The libraries by path; for as long as the worker lives. */
const libraries = new Map();
const libraryAt = (path) => {
  const known = libraries.get(path);
  if (known !== undefined) return known;
  const loading = import(pathToFileURL(path).href).then((namespace) => moduleOf(path, namespace));
  libraries.set(path, loading);
  return loading;
};

export default class SharedLibraries extends JestRuntime {
  constructor(...options) {
    super(...options);
    const { esmLoader, executor } = this;
    const own = {
      loadEsmModule: esmLoader.loadEsmModule.bind(esmLoader),
      loadCjsAsEsm: esmLoader.loadCjsAsEsm.bind(esmLoader),
    };
    // Newer versions of Node could walk a graph of modules at once, past the methods below.
    esmLoader.resolution.hasDistinctAsyncResolver = () => true;
    // No context is the one that the worker itself runs in.
    esmLoader.getContext = () => undefined;
    esmLoader.loadEsmModule = (path, suffix) =>
      isLibrary(path) ? libraryAt(path) : own.loadEsmModule(path, suffix);
    esmLoader.loadCjsAsEsm = (from, path, ...rest) =>
      isLibrary(path) ? libraryAt(path) : own.loadCjsAsEsm(from, path, ...rest);
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (specifier, _, attributes, phase) =>
          executor.dynamicImport(specifier, filename, undefined, attributes, phase),
      });
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (
      moduleName !== undefined &&
      !options?.isInternalModule &&
      !this._resolution.isCoreModule(moduleName)
    ) {
      const path = this._resolution.resolveCjs(from, moduleName);
      if (isLibrary(path)) return requireNatively(path);
    }
    return super.requireModule(from, moduleName, options, isRequireActual);
  }

  // The process of the tests is the real one, and needs no other function here.
  installGetBuiltinModule() {}
}
