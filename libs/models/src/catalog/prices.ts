// Prices of models, in micro-dollars, and what they mean for a minute of conversation.

export interface ModelPrices {
  /** Micro-dollars for a million tokens of the prompt. */
  readonly perMillionInputTokens?: number | undefined;
  /** Micro-dollars for a million tokens of the answer. */
  readonly perMillionOutputTokens?: number | undefined;
  /** Micro-dollars for a minute that is listened to. */
  readonly perMinute?: number | undefined;
  /** Micro-dollars for a million characters that are spoken. */
  readonly perMillionCharacters?: number | undefined;
}

// The assumed usage of a minute of conversation, so that prices by token, character and minute can be compared.
const promptTokens = 5_000;
const completionTokens = 250;
const spokenCharacters = 750;

/** Null without prices. */
export const costMicrosPerMinute = (prices: ModelPrices | undefined): number | null => {
  if (prices === undefined) return null;
  const { perMillionInputTokens = 0, perMillionOutputTokens = 0 } = prices;
  const { perMinute = 0, perMillionCharacters = 0 } = prices;
  const millionths =
    perMillionInputTokens * promptTokens +
    perMillionOutputTokens * completionTokens +
    perMillionCharacters * spokenCharacters;
  return Math.round(millionths / 1_000_000 + perMinute);
};
