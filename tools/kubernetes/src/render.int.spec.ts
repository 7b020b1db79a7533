import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { chart, digestOf, manifestFiles, renderings, staleRenderings } from './render.js';

const folder = mkdtempSync(join(tmpdir(), 'parlance-render-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('finds the plain manifests current without Helm, by the digest of what they were rendered from', () => {
  expect(staleRenderings()).toEqual([]);
});

it('refuses manifests that were rendered from another chart in a sentence that says what to do', () => {
  const isOther = (text: string): string => text.replace(/sha256:[0-9a-f]{64}/, 'sha256:0');
  // one of the two files is enough
  const stale = staleRenderings((rendering) =>
    manifestFiles(rendering).map((text, index) => (index === 0 ? isOther(text) : text)),
  );
  expect(stale).toHaveLength(renderings.length);
  expect(stale[0]).toBe(
    'deploy/kubernetes/single-node was rendered from another chart or other values; install Helm 3 and run: npm run gen',
  );
});

it.each(['templates/processes.yaml', 'files/services.json', 'files/start.sh', 'values.yaml'])(
  'gives a chart another digest when %s changes',
  async (file) => {
    const copy = join(folder, 'chart');
    // Not cpSync, which keeps links of subfolders: a change of the copy would be one of the repository.
    await cp(chart, copy, { recursive: true, dereference: true });
    for (const rendering of renderings) {
      expect(digestOf(rendering, copy)).toBe(digestOf(rendering));
      writeFileSync(join(copy, file), 'other');
      expect(digestOf(rendering, copy)).not.toBe(digestOf(rendering));
      await cp(chart, copy, { recursive: true, dereference: true, force: true });
    }
  },
);
