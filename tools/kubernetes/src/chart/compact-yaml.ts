// YAML as people write manifests: what fits on a line is on one line.
import { Document, isCollection, isMap, isPair, isScalar, type Node, Scalar } from 'yaml';

const lineWidth = 190;

/** About as many columns as the node takes on one line; the quotes of strings are not counted. */
const widthOf = (node: unknown): number => {
  if (isPair(node)) return widthOf(node.key) + widthOf(node.value) + 2;
  if (isScalar(node)) return String(node.value).length + (typeof node.value === 'string' ? 1 : 0);
  if (!isCollection(node)) return 0;
  return node.items.reduce<number>((sum, item) => sum + widthOf(item) + 2, isMap(node) ? 4 : 2);
};

const hasLines = (node: unknown): boolean => {
  if (isPair(node)) return hasLines(node.value);
  if (isScalar(node)) return typeof node.value === 'string' && node.value.includes('\n');
  return isCollection(node) && node.items.some((item) => hasLines(item));
};

/** Texts that every parser of YAML 1.1 reads between brackets without quotes, as far as this library leaves them without. */
const plain = /^-{0,2}[\w./$(]([\w./$()@:?&=+~%-]*[^:])?$/;

const quoteTexts = (node: unknown): void => {
  if (isPair(node)) quoteTexts(node.value);
  else if (isCollection(node)) for (const item of node.items) quoteTexts(item);
  else if (isScalar(node) && typeof node.value === 'string' && !plain.test(node.value))
    node.type = Scalar.QUOTE_DOUBLE;
};

/** @param before columns that stand before the node on its line */
const fold = (node: Node, indent: number, before: number): void => {
  if (!isCollection(node)) return;
  if (indent + before + widthOf(node) <= lineWidth && !hasLines(node)) {
    node.flow = true;
    quoteTexts(node);
    return;
  }
  for (const item of node.items) {
    const [value, name] = isPair(item) ? [item.value, item.key] : [item, undefined];
    if (isCollection(value)) fold(value, indent + 2, name === undefined ? 0 : widthOf(name) + 1);
  }
};

/** Lists of single words that would take more lines than this are written as a paragraph. */
const mostWords = 8;
const wordList = new RegExp(`^( +)(\\w+):\\n((?:\\1  - \\S+\\n){${mostWords},})`, 'gm');

const paragraph = (words: readonly string[], indent: string): string =>
  words
    .reduce<string[]>((lines, word) => {
      const last = lines.at(-1);
      if (last === undefined || last.length + word.length > lineWidth) lines.push(`${indent}${word},`);
      else lines[lines.length - 1] = `${last} ${word},`;
      return lines;
    }, [])
    .join('\n');

const withParagraphs = (text: string): string =>
  text.replaceAll(wordList, (_, indent: string, name: string, items: string) => {
    const words = items.split('\n').flatMap((line) => /- (\S+)$/.exec(line)?.[1] ?? []);
    return `${indent}${name}: [\n${paragraph(words, `${indent}  `)}\n${indent}]\n`;
  });

/** An object: each of its fields begins a line, however few there are. */
export const compactYaml = (value: object): string => {
  // of version 1.1, as Kubernetes reads it: there a plain `yes` is no text
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false });
  if (isMap(document.contents))
    for (const { key, value: field } of document.contents.items)
      if (isCollection(field)) fold(field, 0, widthOf(key) + 1);
  document.directives = undefined;
  return withParagraphs(document.toString({ lineWidth: 0, flowCollectionPadding: true }));
};
