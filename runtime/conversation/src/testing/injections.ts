// Attempts to make a model do what it should not: by the words of a caller, a document, the answer of a tool, and the
// description of a tool of an MCP server.
import { readFileSync } from 'node:fs';

export interface Injection {
  readonly from: 'caller' | 'document' | 'tool answer' | 'MCP description';
  readonly text: string;
}

export const injections: readonly Injection[] = JSON.parse(
  readFileSync(new URL('./injections.json', import.meta.url), 'utf8'),
);
