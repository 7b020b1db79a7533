// A release has one version: images, chart, packages and what they need of each other name the same.
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';

interface Versions {
  readonly filesWithVersion: (
    read: (file: string) => string,
    manifests: readonly string[],
    version: string,
  ) => readonly { readonly file: string; readonly after: string }[];
  readonly texts: readonly { readonly file: string }[];
}

let versions: Versions;
beforeAll(async () => {
  const file: string = fileURLToPath(new URL('./versions.mjs', import.meta.url));
  versions = (await import(file)) as Versions; // plain JavaScript
});

const manifest = JSON.stringify({
  name: '@parlance/lamps',
  version: '0.1.0',
  dependencies: { '@parlance/errors': '0.1.0', zod: '0.1.0' },
});
const named =
  "version: 0.1.0\nappVersion: 0.1.0\nimage: parlance:0.1.0\nnewTag: 0.1.0\nSERVICE_VERSION: z.string().max(64).default('0.1.0')";

it('a new version is written to manifests, to what workspaces need of each other, and to every text', () => {
  const read = (file: string): string => (file.endsWith('package.json') ? manifest : named);
  const files = versions.filesWithVersion(read, ['libs/lamps/package.json'], '0.2.0');
  expect(files.map(({ file }) => file)).toEqual([
    'libs/lamps/package.json',
    ...versions.texts.map(({ file }) => file),
  ]);
  expect(JSON.parse(files[0]?.after ?? '')).toEqual({
    name: '@parlance/lamps',
    version: '0.2.0',
    dependencies: { '@parlance/errors': '0.2.0', zod: '0.1.0' },
  });
  expect(files.slice(1).every(({ after }) => after.includes('0.2.0'))).toBe(true);
});

it('a text that no longer names a version is an error, because the release would miss it', () => {
  const read = (file: string): string => (file.endsWith('package.json') ? manifest : 'nothing');
  expect(() => versions.filesWithVersion(read, [], '0.2.0')).toThrow('names no version any more');
});
