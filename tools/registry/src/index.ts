import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseRegistry, type Registry, registryPath } from './registry.js';

export { type GeneratedFile, servicesFile, withReferences, withTables, withTargets } from './generated.js';
export {
  type Destination,
  destinations,
  type JobRow,
  type ProcessRow,
  parseRegistry,
  type Registry,
  type RuntimeRow,
  registryProblems,
  usesNats,
} from './registry.js';

const root = new URL('../../../', import.meta.url);

/** The registry of this checkout. @throws Error in one sentence when it is not valid */
export const loadRegistry = (): Registry =>
  parseRegistry(readFileSync(fileURLToPath(new URL(registryPath, root)), 'utf8'));
