// Placeholders that no variable can fill. New ones are refused at the save; those of versions of older releases stay, and
// are shown as warnings.
import {
  type AgentConfiguration,
  impossiblePlaceholders,
  type PlacedText,
  textsIn,
} from '@parlance/contracts';
import { type Issue, validationError } from '@parlance/errors';

interface Webhook {
  readonly headers: unknown;
  readonly body?: unknown;
}
type Spoken = Pick<AgentConfiguration, 'firstMessage' | 'systemPrompt' | 'voicemail' | 'recording'>;
type Texts = Spoken & {
  readonly initiation_webhook: Webhook | null;
  readonly post_call_webhook: Webhook | null;
};

const given = (path: string, text: string | undefined): PlacedText[] =>
  text === undefined ? [] : [{ path, text }];

/** The texts that a person hears, and the prompt. */
export const spokenTexts = ({ firstMessage, systemPrompt, voicemail, recording }: Spoken): PlacedText[] => [
  { path: 'firstMessage', text: firstMessage },
  { path: 'systemPrompt', text: systemPrompt },
  ...given('voicemail.message', voicemail.message),
  ...given('recording.announcement', recording.announcement),
];

const impossibleIn = (texts: Texts) =>
  impossiblePlaceholders([
    ...spokenTexts(texts),
    ...(['initiation_webhook', 'post_call_webhook'] as const).flatMap((field) => [
      ...textsIn(texts[field]?.headers, `${field}.headers`),
      ...textsIn(texts[field]?.body, `${field}.body`),
    ]),
  ]);

/**
 * @param before the version in force, or the one that is restored; its placeholders are taken again
 * @throws AppError VALIDATION_ERROR that names each field
 */
export const checkPlaceholders = (texts: Texts, before: Texts | undefined): void => {
  const known = new Set((before === undefined ? [] : impossibleIn(before)).map(({ written }) => written));
  const issues = impossibleIn(texts)
    .filter(({ written }) => !known.has(written))
    .map(({ path, message }): Issue => ({ path: `body.${path}`, code: 'custom', message }));
  if (issues.length > 0) throw validationError(issues);
};

/** The configuration as readers get it, with a warning for each placeholder that is said as it is written. */
export const withWarnings = (configuration: AgentConfiguration): AgentConfiguration => {
  const warnings = impossibleIn(configuration).map(({ path, message }) => ({ path, message }));
  return warnings.length === 0 ? configuration : { ...configuration, warnings };
};
