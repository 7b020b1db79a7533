// Text from outside, such as words of the caller, passages of documents and answers of tools. A model sees it between
// delimiters, and the text cannot contain delimiters of its own.

export type DataSource = 'caller' | 'document' | 'tool answer' | 'tool description';

/** `<data …>` and `</data>`, also with spaces, with full-width brackets, or written as entities. */
const delimiter = /(?:[<＜﹤]|&lt;|&#0*60;|&#x0*3c;)\s*[/／]?\s*data\b[^<>＜＞]{0,200}(?:[>＞﹥]|&gt;|$)/gi;
/** Tokens by which the chat formats of common models begin a message of another role. */
const roleToken = /<\|[^<>|]{1,40}\|>|<\/?s>|\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>/gi;
/** Characters that are not displayed, between which a delimiter could hide. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** The text without anything that could end its block. Repeated, because a removal can join two halves. */
export const withoutDelimiters = (text: string): string => {
  let cleaned = text.replaceAll(invisible, '');
  for (;;) {
    const next = cleaned.replaceAll(delimiter, ' ').replaceAll(roleToken, ' ');
    if (next === cleaned) return cleaned;
    cleaned = next;
  }
};

export const dataBlock = (from: DataSource, text: string): string =>
  `<data from="${from}">\n${withoutDelimiters(text)}\n</data>`;

/** The value of a variable inside an instruction: on one line, so that it cannot begin a paragraph of its own. */
export const inlineValue = (value: string): string =>
  withoutDelimiters(value)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
