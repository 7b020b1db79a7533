// Manifests as text. Every generated file says in its first line where it comes from.
import { stringify } from 'yaml';
import type { Manifest } from './manifest.js';

export const generatedLine = '# Written by `npm run gen` from tools/kubernetes/src; change it there.\n';

/** Quoted for readers of YAML 1.1 too, which Kubernetes is one of: `yes` is a truth value there. */
export const yamlOf = (value: unknown): string =>
  stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });

export const manifestsFile = (manifests: readonly Manifest[]): string =>
  generatedLine + manifests.map(yamlOf).join('---\n');

/** Lines of NAME=value, for a generator of ConfigMaps. */
export const envFile = (comment: string, values: Readonly<Record<string, string>>): string =>
  `${generatedLine}${comment}${Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')}`;
