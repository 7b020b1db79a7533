// Finds texts that speak to a model behind a person's back. A match holds the tool back until a person approves it: words can
// be harmless, and a person can tell.
const invisible =
  /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u00ad\u{e0000}-\u{e007f}]|\p{Cc}(?<![\t\n\r])/u;

const phrases: readonly RegExp[] = [
  /<\/?\s*(?:important|system|instructions?|secret|hidden|admin)\s*>/i,
  /<!--/,
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|other|system)\s+(?:instructions?|prompts?|rules?|messages?)/i,
  /\b(?:do\s+not|don't|never|without)\s+(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|reveal(?:ing)?|show(?:ing)?)\b[^.\n]{0,40}\b(?:user|caller|customer|anyone|human)/i,
  /\b(?:system|developer)\s+prompt\b/i,
  /\byou\s+are\s+now\b/i,
  /\b(?:read|send|include|pass|upload|forward)\b[^.\n]{0,60}(?:\.ssh|id_rsa|\.env\b|mcp\.json|private\s+key|api\s+keys?|credentials)/i,
];

/** The longest part of a tool's texts that is searched; longer texts are refused elsewhere. */
const longest = 131_072;

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
};

/** True for a definition with instructions for a model, or with characters that a person does not see. */
export const isSuspicious = (definition: unknown): boolean => {
  const text = textsIn(definition).join('\n').slice(0, longest);
  return invisible.test(text) || phrases.some((phrase) => phrase.test(text));
};
