// A tag is released only with the version and the changelog that it names.
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface Changelog {
  readonly sectionOf: (changelog: string, version: string) => string | undefined;
  readonly releaseProblems: (
    tag: string,
    versions: Readonly<Record<string, string>>,
    changelog: string,
  ) => readonly string[];
}

let changelog: Changelog;
beforeAll(async () => {
  const file: string = fileURLToPath(new URL('./changelog.mjs', import.meta.url));
  changelog = (await import(file)) as Changelog; // plain JavaScript
});

const text = `# Changelog

## Unreleased

- Soon.

## 0.2.0 - 2026-12-01

### Added

- This.

## [0.1.0]

- That.
`;

describe('sectionOf', () => {
  it('returns the part of one version, with its subheadings', () => {
    expect(changelog.sectionOf(text, '0.2.0')).toBe('### Added\n\n- This.');
    expect(changelog.sectionOf(text, '0.1.0')).toBe('- That.');
  });

  it('returns nothing for a version that has no part or an empty one', () => {
    expect(changelog.sectionOf(text, '0.2')).toBeUndefined();
    expect(changelog.sectionOf('## 0.3.0\n\n## 0.2.0\n- This.\n', '0.3.0')).toBeUndefined();
  });
});

describe('releaseProblems', () => {
  it('accepts a tag whose version is in every file and in the changelog', () => {
    expect(changelog.releaseProblems('v0.2.0', { 'package.json': '0.2.0' }, text)).toEqual([]);
  });

  it('names each file with another version, and a missing part of the changelog', () => {
    expect(changelog.releaseProblems('v0.3.0', { 'package.json': '0.3.0', 'a.json': '0.2.0' }, text)).toEqual(
      ['a.json has version 0.2.0, the tag is v0.3.0', 'CHANGELOG.md has no section "## 0.3.0"'],
    );
  });

  it('refuses a tag that names no version', () => {
    expect(changelog.releaseProblems('latest', {}, text)).toEqual([
      'latest is no tag of a release: use v1.2.3',
    ]);
  });
});
