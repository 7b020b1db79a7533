// Files that are folded from the contract and committed; written by `npm run gen`, checked by `npm run check`.
import { buildAccessTable, buildRolesTable } from './console-files/access-table.js';
import { buildOpenApi } from './docs/openapi.js';
import { outline } from './docs/outline.js';
import { buildVoiceRuntimePage } from './docs/voice-runtime.js';

export interface GeneratedFile {
  /** The path from the root of the repository. */
  readonly path: string;
  readonly content: string;
}

export const generatedFiles = (): readonly GeneratedFile[] => [
  { path: 'docs/openapi.json', content: `${outline(buildOpenApi(), 3)}\n` },
  { path: 'console/src/generated/access.ts', content: buildAccessTable() },
  { path: 'console/src/generated/roles.ts', content: buildRolesTable() },
  { path: 'docs/voice-runtime.md', content: buildVoiceRuntimePage() },
];
