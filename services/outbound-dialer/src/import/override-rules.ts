// The overrides of a row, which have to be allowed by the agent and to work with its models.
import type { Overridable } from '@parlance/contracts';
import type { Override } from './columns.js';
import type { OverrideChoices } from './import-types.js';

/** Overrides that the agent has to allow; the others describe the callee. */
const overridables: Partial<Record<Override, Overridable>> = {
  firstMessage: 'firstMessage',
  systemPrompt: 'systemPrompt',
  language: 'agent_language',
  voiceId: 'voiceId',
};

/** @param allowed undefined where it is not known */
export const isAllowed = (override: Override, allowed: readonly Overridable[] | undefined): boolean => {
  const needed = overridables[override];
  return needed === undefined || allowed === undefined || allowed.includes(needed);
};

export interface OverrideProblem {
  readonly column: 'language' | 'voice_id';
  readonly message: string;
}

/** `language` in the spelling of the catalog, or what is wrong with it or with the voice. */
export type CheckedOverrides =
  | { readonly language: string | undefined }
  | { readonly problem: OverrideProblem };

const shownLength = 40;
const shown = (value: string): string =>
  value.length > shownLength ? `${value.slice(0, shownLength)}…` : value;

export class OverrideRules {
  readonly #choices: OverrideChoices;
  /** Codes of the catalog by their lower-case spelling. */
  readonly #languages: ReadonlyMap<string, string>;
  readonly #voices: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(choices: OverrideChoices) {
    this.#choices = choices;
    this.#languages = new Map(choices.languages.map((code) => [code.toLowerCase(), code]));
    this.#voices = new Map(choices.voices.map(({ id, languages }) => [id, new Set(languages)]));
  }

  /** What a row does not override is the agent's. */
  check(language: string | undefined, voiceId: string | undefined): CheckedOverrides {
    if (language === undefined && voiceId === undefined) return { language };
    const code =
      language === undefined ? undefined : this.#languages.get(language.replaceAll('_', '-').toLowerCase());
    if (language !== undefined && code === undefined)
      return this.#problem(
        'language',
        `is not a language of the agent's models: write a code of the voice catalog, such as ${this.#examples()}`,
      );
    const voice = voiceId ?? this.#choices.voiceId;
    const speaks = this.#voices.get(voice);
    if (voiceId !== undefined && speaks === undefined)
      return this.#problem(
        'voice_id',
        "is not a voice of the agent's model: write the id of one in the voice catalog",
      );
    const spoken = code ?? this.#choices.language;
    // A voice of the agent that has left the catalog was good when it was saved; nothing is known of its languages.
    if (speaks !== undefined && !speaks.has(spoken))
      return voiceId === undefined
        ? this.#problem(
            'language',
            `is not spoken by the agent's voice, ${shown(voice)}: give the row a voice_id too`,
          )
        : this.#problem('voice_id', `does not speak ${spoken}`);
    return { language: code };
  }

  #problem(column: OverrideProblem['column'], message: string): CheckedOverrides {
    return { problem: { column, message } };
  }

  #examples(): string {
    return this.#choices.languages.slice(0, 3).join(', ') || this.#choices.language;
  }
}
