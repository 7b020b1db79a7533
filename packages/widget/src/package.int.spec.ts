// The products of this workspace: the files that pages load, and the npm package.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders: string[] = [];

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'widget-'));
  folders.push(folder);
  return folder;
};

const bundle = (folder = newFolder()): string => {
  execFileSync(process.execPath, ['bundle.mjs', folder], { cwd: root });
  return folder;
};

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('the script of a page', () => {
  const folder = bundle();
  const loader = readFileSync(join(folder, 'widget.js'));

  it('costs a page view less than 15 KB', () => {
    expect(gzipSync(loader, { level: 9 }).length).toBeLessThan(15 * 1_024);
  });

  it('is the same again when it is built again, and so are its siblings', () => {
    const again = bundle();
    for (const file of ['manifest.json', 'widget.js', 'voice.js', 'texts/de.json'])
      expect(readFileSync(join(again, file)).equals(readFileSync(join(folder, file)))).toBe(true);
  });

  it('is not written again while it is current, because a gateway may be reading it', () => {
    const kept = bundle();
    const writtenAt = (): number => statSync(join(kept, 'widget.js')).mtimeMs;
    const before = writtenAt();
    bundle(kept);
    expect(writtenAt()).toBe(before);
  });

  it('evaluates no text, and writes none as markup', () => {
    const code = ['widget.js', 'panel.js'].map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    for (const forbidden of [
      'innerHTML',
      'outerHTML',
      'insertAdjacentHTML',
      'document.write',
      'eval(',
      'Function(',
    ])
      expect([forbidden, code.includes(forbidden)]).toEqual([forbidden, false]);
  });
});

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

it('the npm package has code, types and the license, and neither tests nor the files that the gateway serves', () => {
  const json = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  });
  const [packed] = JSON.parse(json) as readonly Packed[]; // npm's own report
  const paths = packed?.files.map(({ path }) => path) ?? [];
  const wanted = [
    'package.json',
    'README.md',
    'LICENSE',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/voice/livekit-voice.js',
  ];
  expect(paths).toEqual(expect.arrayContaining(wanted));
  expect(
    paths.filter((path) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(path)),
  ).toEqual([]);
  expect(paths.filter((path) => /\.spec\.|served|script\//.test(path))).toEqual([]);
  const license = readFileSync(join(root, '../../LICENSE'), 'utf8');
  expect(readFileSync(join(root, 'LICENSE'), 'utf8')).toBe(license);
});
