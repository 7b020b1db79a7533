// The name of a tool for agents: the connection's name and the tool's, in the characters that models take. It is unique in the
// organization, so that no two connections of an agent offer the same name.
import { createHash } from 'node:crypto';

const longest = 64;
const longestPrefix = 24;
const markLength = 6;

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');

/** The first choice, and the name that is taken when another tool has the first already. */
export interface OfferedNames {
  readonly first: string;
  readonly second: string;
}

export const offeredNames = (
  connection: { readonly id: string; readonly name: string },
  toolName: string,
): OfferedNames => {
  const prefix = plain(connection.name).toLowerCase().slice(0, longestPrefix).replace(/_+$/, '') || 'mcp';
  const whole = `${prefix}_${plain(toolName) || 'tool'}`;
  const mark = createHash('sha256').update(`${connection.id} ${toolName}`).digest('hex').slice(0, markLength);
  const second = `${whole.slice(0, longest - markLength - 1)}_${mark}`;
  return { first: whole.length > longest ? second : whole, second };
};
