// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Compose and Docker write their variables so
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface ImageReferences {
  readonly imagesIn: (
    text: string,
  ) => readonly { readonly name: string; readonly tag?: string; readonly line: number }[];
  readonly imageProblems: (
    files: Readonly<Record<string, string>>,
    options: { readonly isRelease: boolean },
  ) => readonly string[];
  readonly imageFiles: (root: string) => Readonly<Record<string, string>>;
}

const here = fileURLToPath(new URL('.', import.meta.url));
let images: ImageReferences;
beforeAll(async () => {
  images = (await import(join(here, 'image-references.mjs'))) as ImageReferences; // plain JavaScript
});

const digest = `sha256:${'a'.repeat(64)}`;
const problems = (files: Readonly<Record<string, string>>, isRelease = false): readonly string[] =>
  images.imageProblems(files, { isRelease });

describe('the check of images', () => {
  it('finds images in Dockerfiles, Compose files, manifests and values of charts', () => {
    const text = [
      'ARG NODE_IMAGE=node:24.21.0-bookworm-slim',
      'FROM ${NODE_IMAGE} AS build',
      'FROM --platform=linux/amd64 alpine:3.22.1',
      '    image: ${EVENTSTORE_IMAGE:-kurrentplatform/kurrentdb:26.0.3}',
      `    image: redis:8.2.9-alpine@${digest} # LiveKit's`,
      '  image: { repository: nats, tag: 2.12.8-alpine }',
      '    image: ${PARLANCE_IMAGE:-parlance:0.2.0}',
      'image:',
    ].join('\n');
    expect(images.imagesIn(text).map(({ name, tag, line }) => [name, tag, line])).toEqual([
      ['node', '24.21.0-bookworm-slim', 1],
      ['alpine', '3.22.1', 3],
      ['kurrentplatform/kurrentdb', '26.0.3', 4],
      ['redis', '8.2.9-alpine', 5],
      ['nats', '2.12.8-alpine', 6],
    ]);
  });

  it('refuses an image without an exact version', () => {
    expect(problems({ a: 'image: redis\nimage: redis:latest\nimage: redis:8' })).toHaveLength(3);
  });

  it('refuses two digests of one image, and an image that has a digest in one place alone', () => {
    const other = `sha256:${'b'.repeat(64)}`;
    const redis = 'image: redis:8.2.9';
    expect(problems({ a: `${redis}@${digest}`, b: `${redis}@${other}` })).toHaveLength(1);
    expect(problems({ a: `${redis}@${digest}`, b: redis })).toHaveLength(1);
    expect(problems({ a: `${redis}@${digest}`, b: `${redis}@${digest}` })).toEqual([]);
  });

  it('demands a digest of every image for a release', () => {
    expect(problems({ a: 'image: redis:8.2.9' }, true)).toEqual([
      expect.stringMatching(
        /^a:1: redis:8\.2\.9 has no digest: merge .*docker buildx imagetools inspect redis:8\.2\.9 .*CONTRIBUTING\.md/,
      ),
    ]);
    expect(problems({ a: `image: redis:8.2.9@${digest}` }, true)).toEqual([]);
  });

  it('finds the images of this repository', () => {
    const files = images.imageFiles(join(here, '../..'));
    const found = Object.values(files).flatMap((text) => images.imagesIn(text).map(({ name }) => name));
    expect(found).toEqual(
      expect.arrayContaining(['node', 'postgres', 'redis', 'livekit/sip', 'grafana/grafana']),
    );
  });
});
