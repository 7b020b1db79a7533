// An estimate of tokens that needs no tokenizer of a vendor.
import type { ChatMessage, ChatTool } from '../dialogue/chat.js';

/**
 * Common tokenizers take about 4 bytes of English for a token, 3 of German or JSON, and 3 (one character) of Chinese. The
 * lowest of these, so that the estimate is too high rather than too low.
 */
const bytesOfToken = 3;
/** Role and delimiters of a message. */
const tokensOfMessage = 4;

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesOfToken);

export const messageTokens = (message: ChatMessage): number => {
  const calls =
    message.role === 'assistant' && message.toolCalls !== undefined ? JSON.stringify(message.toolCalls) : '';
  return tokensOfMessage + estimateTokens(message.content) + estimateTokens(calls);
};

export const toolTokens = (tools: readonly ChatTool[]): number =>
  tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));

/** The beginning of a text, at most so many tokens, without half a character at its end. */
export const firstTokens = (text: string, tokens: number): string => {
  const bytes = Buffer.from(text);
  const limit = Math.max(0, tokens) * bytesOfToken;
  if (bytes.length <= limit) return text;
  return bytes
    .subarray(0, limit)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
};
