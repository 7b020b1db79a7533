// The check of links finds what a reader would run into, and nothing else.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface DocumentationLinks {
  readonly anchorsIn: (text: string) => ReadonlySet<string>;
  readonly brokenLinks: (
    pages: Readonly<Record<string, string>>,
    files: readonly string[],
  ) => readonly string[];
  readonly missingNames: (
    page: string,
    text: string,
    readFile: (file: string) => string | undefined,
  ) => readonly string[];
}

let documentation: DocumentationLinks;
beforeAll(async () => {
  const file: string = join(fileURLToPath(new URL('.', import.meta.url)), 'documentation-links.mjs');
  documentation = (await import(file)) as DocumentationLinks; // plain JavaScript
});

const broken = (text: string, others: Readonly<Record<string, string>> = {}): readonly string[] => {
  const pages = { 'docs/page.md': text, ...others };
  return documentation.brokenLinks(pages, [...Object.keys(pages), 'src/code.ts', 'LICENSE']);
};

describe('brokenLinks', () => {
  it('accepts links to files, folders, headings and other sites', () => {
    const text = `# A page
[code](../src/code.ts), [folder](../src/), [root](..), [licence](../LICENSE "Apache"), [here](#a-page), ![picture](../LICENSE)
[there](other.md#two--words), [web](https://example.com/none.md), [mail](mailto:a@example.com)

[reference]: ../src/code.ts
`;
    expect(broken(text, { 'docs/other.md': '## Two & words\n' })).toEqual([]);
  });

  it('finds a missing file with its line', () => {
    expect(broken('# A\n\nsee [it](missing.md) and [code](../src/code.ts)\n')).toEqual([
      'docs/page.md:3: missing.md: there is no docs/missing.md',
    ]);
  });

  it('finds a missing file behind a picture, a reference and a path that leaves the tree', () => {
    expect(broken('[![logo](a.png)](b.md)\n\n[ref]: c.md\n\n[out](../../d.md)\n')).toHaveLength(4);
  });

  it('finds a missing heading in this page and in another one', () => {
    const problems = broken('# A\n[one](#b) [two](other.md#c)\n', { 'docs/other.md': '# B\n' });
    expect(problems).toEqual([
      'docs/page.md:2: #b: docs/page.md has no heading #b',
      'docs/page.md:2: other.md#c: docs/other.md has no heading #c',
    ]);
  });

  it('leaves code alone, in a span and in a fence', () => {
    expect(broken('`[a](b.md)` and\n\n```md\n[a](b.md)\n# not a heading\n```\n')).toEqual([]);
    expect(broken('[up](#not-a-heading)\n\n```\n# not a heading\n```\n')).toHaveLength(1);
  });
});

describe('anchorsIn', () => {
  it('numbers a repeated heading, and drops punctuation, links and code marks', () => {
    const text = '# Set `PORT`, or not?\n## [Link](a.md) text\n## Same\n## Same\n<a id="own"></a>\n';
    expect([...documentation.anchorsIn(text)]).toEqual([
      'set-port-or-not',
      'link-text',
      'same',
      'same-1',
      'own',
    ]);
  });
});

describe('missingNames', () => {
  const files: Readonly<Record<string, string>> = {
    'src/code.ts': "export const call = () => serve('calls.get');",
    'src/other.ts': 'class Other {}',
  };
  const missing = (text: string): readonly string[] =>
    documentation.missingNames('docs/page.md', text, (file) => files[file]);

  it('accepts names that occur in the file of the link before them', () => {
    const text =
      '1. `anything`: [code](../src/code.ts) `call`\n   `calls.get`, [other](../src/other.ts) `Other`.\n';
    expect(missing(text)).toEqual([]);
  });

  it('finds a name that occurs in another file only, or only as part of a word', () => {
    expect(missing('- [code](../src/code.ts) `Other` `cal`\n')).toEqual([
      'docs/page.md: src/code.ts does not mention Other',
      'docs/page.md: src/code.ts does not mention cal',
    ]);
  });

  it('finds every name beside a file that does not exist', () => {
    expect(missing('- [code](../src/gone.ts) `call`\n')).toEqual([
      'docs/page.md: src/gone.ts does not mention call',
    ]);
  });

  it('ends the reach of a link with its item', () => {
    expect(missing('- [code](../src/code.ts) `call`\n- `free` text\n\n`free` paragraph\n')).toEqual([]);
  });
});
