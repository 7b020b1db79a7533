// The personal data that the configuration of a call hides in everything that leaves the runtime, except for the person of the conversation and
// the tools that run for it.
import type { CallContext, RuntimeConfig } from '@parlance/contracts';
import { namesInVariables, type RedactionOptions, redact } from '@parlance/redaction';

/** Undefined where nothing is hidden. */
export const redactionOfCall = (
  { dynamicVariables, language }: Pick<CallContext, 'dynamicVariables' | 'language'>,
  { config, initiation }: Pick<RuntimeConfig, 'config' | 'initiation'>,
): RedactionOptions | undefined => {
  const kinds = config.redaction?.kinds ?? [];
  if (kinds.length === 0) return undefined;
  const names = namesInVariables({ ...initiation?.dynamicVariables, ...dynamicVariables });
  return { language: language ?? config.agent_language, timezone: config.timezone, kinds, names };
};

/** The error for a log: a provider may repeat in its message what was sent to it. */
export const redactedError = (error: unknown, options: RedactionOptions | undefined): unknown => {
  if (options === undefined) return error;
  const hide = (text: string): string => redact(text, options).text;
  if (!(error instanceof Error)) return hide(String(error));
  const copy = new Error(hide(error.message));
  copy.name = error.name;
  copy.stack = hide(error.stack ?? '');
  return copy;
};
