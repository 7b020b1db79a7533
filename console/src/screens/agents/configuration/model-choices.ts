// The models of the catalog as choices of a field. Pure.
import type { VoiceCatalog } from '@parlance/client';
import type { ComboChoice } from '../../../forms/combo-choices.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';
import { moneyText } from '../../../strings/format.js';

type Model = VoiceCatalog['llmModels'][number];
type Names = Pick<VoiceCatalog, 'languages' | 'currency'>;

/** More languages are only counted. */
const mostNamed = 3;

const languagesText = (codes: readonly string[], { languages }: Names): string => {
  if (codes.includes('*')) return strings.everyLanguage;
  const names = codes.map((code) => languages.find((language) => language.code === code)?.name ?? code);
  const named = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? strings.moreLanguages(named, names.length - mostNamed) : named;
};

/** An operator's or an organization's own. */
export const isCustom = (id: string): boolean => id.startsWith('custom/');

export const modelChoices = (models: readonly Model[], names: Names): readonly ComboChoice[] =>
  models.map(({ id, name, provider, languages, available, unavailableReason, ...model }) => {
    const { costMicrosPerMinute, typicalLatencyMs } = model;
    const facts = [
      languagesText(languages, names),
      costMicrosPerMinute === null
        ? strings.unpriced
        : strings.minutePrice(moneyText(costMicrosPerMinute, names.currency)),
      ...(typicalLatencyMs === null ? [] : [strings.latency(typicalLatencyMs)]),
    ];
    return {
      value: id,
      group: provider,
      label: available ? name : strings.notAvailable(name),
      remark: unavailableReason ?? facts.join(' · '),
      ...(isCustom(id) ? { badge: strings.custom } : {}),
    };
  });

/** The models that take over, by their names in the catalog; undefined without any. */
export const fallbacksText = (models: readonly Model[], chosen: string | undefined): string | undefined => {
  const { fallbacks = [] } = models.find(({ id }) => id === chosen) ?? {};
  if (fallbacks.length === 0) return undefined;
  return strings.fallbacks(
    fallbacks.map((id) => models.find((model) => model.id === id)?.name ?? id).join(', '),
  );
};
