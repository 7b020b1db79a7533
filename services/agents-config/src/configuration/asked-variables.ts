// The variables that the texts of a configuration ask for.
import { type AgentConfiguration, placeholdersIn } from '@parlance/contracts';
import { spokenTexts } from './placeholder-rules.js';

type Texts = Pick<
  AgentConfiguration,
  'firstMessage' | 'systemPrompt' | 'voicemail' | 'recording' | 'variables'
>;

export interface AskedVariable {
  readonly name: string;
  /** Every place of it has a fallback, or the configuration has a default. */
  readonly hasDefault: boolean;
}

/** The variables of the texts without `system.*`, which the platform fills. */
export const askedFor = ({ variables, ...texts }: Texts): AskedVariable[] =>
  [...placeholdersIn(spokenTexts(texts).map(({ text }) => text))]
    .filter(([name]) => !name.startsWith('system.'))
    .map(([name, hasFallback]) => ({
      name,
      hasDefault: hasFallback || (Object.hasOwn(variables, name) && variables[name]?.default != null),
    }));
