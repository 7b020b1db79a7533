// The title rows of a table in Markdown: the rows above the line of dashes, and that line.

const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;

/** True for the line of dashes between the titles of a table and its rows. */
export const isDelimiterRow = (line: string): boolean => line.includes('|') && delimiterRow.test(line.trim());

/** Titles of a larger table would fill the passages that repeat them. */
const longestTitles = 600;

/**
 * The length of the rows that name the columns, their line end included; 0 for a table without titles.
 * @param table the text of a table
 */
export const lengthOfTitles = (table: string): number => {
  const first = table.indexOf('\n');
  if (first === -1) return 0;
  const second = table.indexOf('\n', first + 1);
  const length = (second === -1 ? table.length : second) + (second === -1 ? 0 : 1);
  if (length > longestTitles) return 0;
  return isDelimiterRow(table.slice(first + 1, length)) ? length : 0;
};
